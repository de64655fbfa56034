//@ verdict with --property termination: violated
//@ verdict with --property termination --reduction global: violated
//@ verdict with --ltl 'F (rounds == 1)' --fairness weak: holds
// Each round publishes a new block and forgets the last one: the run repeats but for the
// blocks that nobody knows of.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *_Atomic newest;
atomic_int stop;
atomic_int rounds;

void *work(void *unused) {
    while (!stop) {
        int *block = malloc(sizeof *block);
        *block = 1;
        newest = block;
        rounds = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    while (!newest) {
    }
    pthread_join(id, NULL);
}
