//@ verdict with --threads any -DBROKEN: violated
//@ verdict with -DN=3: holds
//@ verdict with -DN=3 -DBROKEN: violated
//@ verdict with -DN=2 -DBROKEN: holds
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// A bar with two stools and a bouncer at the door, who counts with a semaphore.
//
//     threadproof check examples/any/bouncer.c --threads any
//
// proves that nobody finds both stools taken, however many guests there are. With -DBROKEN the
// bouncer begins with three, which takes three guests to notice.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#define STOOLS 2

sem_t door;
atomic_int n_seated;

void *guest(void *unused) {
    sem_wait(&door);
    int n_before = atomic_fetch_add(&n_seated, 1);
    assert(n_before < STOOLS);
    atomic_fetch_sub(&n_seated, 1);
    sem_post(&door);
    return NULL;
}

int main(void) {
#ifdef BROKEN
    sem_init(&door, 0, STOOLS + 1);
#else
    sem_init(&door, 0, STOOLS);
#endif
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, guest, NULL);
}
