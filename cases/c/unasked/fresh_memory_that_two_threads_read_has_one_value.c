//@ args: --property unreach-call,no-data-race
//@ verdict: holds
//@ verdict with -DNOT_ZERO: violated "assertion"
//@ verdict with --reduction none: holds
// Two reads are no race, though the first of them settles the value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *block, seen[2];

void *look(void *which) {
    int *at = which;
    *at = *block;
    if (*block > 3) assert(*block != 3);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    block = malloc(sizeof(int));
    pthread_create(&one, NULL, look, &seen[0]);
    pthread_create(&other, NULL, look, &seen[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(seen[0] == seen[1]);
#ifdef NOT_ZERO
    assert(seen[0] == 0);
#endif
}
