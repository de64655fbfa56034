//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with -DBOTH: violated "assertion"
//@ verdict with --reduction none: holds
//@ verdict with -DBOTH --reduction none: violated "assertion"
// One is for large numbers and the other for small ones. Each has memory of its own that
// it publishes before it looks, so that their steps make different objects.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *number;
atomic_int is_large, is_small;
int *_Atomic published;

void *large(void *unused) {
    published = malloc(sizeof(int));
    if (*number > 9) is_large = 1;
    return NULL;
}

void *small(void *unused) {
    if (*number <= 9) is_small = 1;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    number = malloc(sizeof(int));
    pthread_create(&one, NULL, large, NULL);
    pthread_create(&other, NULL, small, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifdef BOTH
    assert(is_large);
#else
    assert(is_large + is_small == 1);
#endif
}
