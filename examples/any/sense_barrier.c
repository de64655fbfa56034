//@ verdict with --threads any -DBROKEN: violated
//@ verdict with -DN=3: holds
//@ verdict with -DN=3 -DBROKEN: violated
//@ verdict with -DN=2 -DBROKEN: holds
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// Any number of threads sign up, the first three are the crew and the others go home. The
// crew works in rounds, with a barrier between them: whoever comes last turns the sense
// over, for which the others wait.
//
//     threadproof check examples/any/sense_barrier.c --threads any
//
// proves that behind the barrier everybody finds what all of the crew did in this round.
// -DBROKEN forgets that the next time the sense is the other one, so nobody stops at the
// second barrier. It takes the three of the crew: fewer never come past the first one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define CREW 3
#define ROUNDS 2

atomic_int n_signed_up, n_waiting;
atomic_bool sense;
int done_in_round[CREW]; /* not atomic: the barrier orders them */

void wait_for_crew(bool *my_sense) {
#ifdef BROKEN
    *my_sense = true;
#else
    *my_sense = !*my_sense;
#endif
    if (atomic_fetch_add(&n_waiting, 1) == CREW - 1) {
        atomic_store(&n_waiting, 0);
        atomic_store(&sense, *my_sense);
    } else {
        while (atomic_load(&sense) != *my_sense)
            ;
    }
}

void *sail(void *unused) {
    int me = atomic_load(&n_signed_up);
    do {
        if (me == CREW)
            return NULL;
    } while (!atomic_compare_exchange_weak(&n_signed_up, &me, me + 1));
    bool my_sense = false;
    for (int round = 1; round <= ROUNDS; round++) {
        done_in_round[me] = round;
        wait_for_crew(&my_sense);
        for (int i = 0; i < CREW; i++)
            assert(done_in_round[i] == round);
        wait_for_crew(&my_sense); /* nobody goes on before all have looked */
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, sail, NULL);
}
