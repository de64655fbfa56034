//@ verdict: violated "data race"
// Adjacent bit-fields are one memory location (C11 3.14p1), so writes to both conflict.
#include <pthread.h>
#include <stdlib.h>

struct {
    unsigned left : 4, right : 4;
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
    return 0;
}
