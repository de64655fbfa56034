//@ verdict: holds
// Bit-fields that are not adjacent are two memory locations (C11 3.14p3 and p4, the
// example).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct {
    unsigned left : 4;
    char between;
    unsigned right : 4;
} triple;

void *write_left(void *unused) {
    triple.left = 1;
    return NULL;
}

void *write_between(void *unused) {
    triple.between = 1;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, write_left, NULL);
    pthread_create(&two, NULL, write_between, NULL);
    triple.right = 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(triple.left == 1 && triple.between == 1 && triple.right == 1);
    return 0;
}
