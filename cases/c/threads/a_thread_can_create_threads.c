//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n_leaves;

void *grow(void *argument) {
    long depth = (long)argument;
    pthread_t left, right;
    if (depth == 0) {
        n_leaves++;
        return NULL;
    }
    pthread_create(&left, NULL, grow, (void *)(depth - 1));
    pthread_create(&right, NULL, grow, (void *)(depth - 1));
    pthread_join(left, NULL);
    pthread_join(right, NULL);
    return NULL;
}

int main(void) {
    grow((void *)2);
    assert(n_leaves == 4);
}
