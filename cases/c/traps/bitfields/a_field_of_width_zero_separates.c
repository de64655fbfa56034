//@ verdict: holds
// Two bit-fields with one of width zero between them are two memory locations (C11
// 3.14p3).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct {
    unsigned left : 4, : 0, right : 4;
} pair;

void *write_left(void *unused) {
    pair.left = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_left, NULL);
    pair.right = 1;
    pthread_join(one, NULL);
    assert(pair.left == 1 && pair.right == 1);
    return 0;
}
