//@ verdict with --threads any -DBROKEN: violated "data race"
//@ verdict with -DN=3: holds
//@ verdict with -DN=1 -DBROKEN: violated "data race"
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// As many workers as the user asks for share three jobs. Main waits for all of them and
// reads the results without a lock: nobody is left who could write.
//
//     threadproof check examples/any/worker_pool.c --threads any
//
// proves it for any number of workers, which relies on two loops that agree: one that
// creates, and one that joins. With -DBROKEN the second one forgets the last worker. One
// worker is enough for a race with main.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define JOBS 3

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n_given; /* how many jobs were given to workers; the lock protects it */
int results[JOBS];

void *work(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        int job = n_given;
        if (job < JOBS)
            n_given++;
        pthread_mutex_unlock(&lock);
        if (job == JOBS)
            return NULL;
        results[job] = job + 1;
    }
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
#ifdef N
    int n_workers = N;
#else
    int n_workers = __VERIFIER_nondet_int();
#endif
    if (n_workers < 1 || n_workers > 1000)
        return 0;
    pthread_t *workers = malloc(n_workers * sizeof *workers);
    for (int i = 0; i < n_workers; i++)
        pthread_create(&workers[i], NULL, work, NULL);
#ifdef BROKEN
    for (int i = 0; i < n_workers - 1; i++)
#else
    for (int i = 0; i < n_workers; i++)
#endif
        pthread_join(workers[i], NULL);
    for (int job = 0; job < n_given; job++)
        assert(results[job] == job + 1);
    free(workers);
}
