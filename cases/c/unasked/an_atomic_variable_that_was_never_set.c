//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with -DWRONG: violated "assertion"
//@ verdict with --reduction none: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *block;

void *add(void *unused) {
    atomic_fetch_add(block, 2);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    block = malloc(sizeof *block);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    int expected = 1;
    if (atomic_compare_exchange_strong(block, &expected, 0)) assert(expected == 1);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifdef WRONG
    assert(*block != 41);
#endif
}
