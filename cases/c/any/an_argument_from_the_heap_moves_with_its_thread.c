//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

struct job {
    int number;
};

void *work(void *argument) {
    struct job *job = argument;
    assert(job->number == 7);
    job->number = 8;
    free(job);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        struct job *job = malloc(sizeof *job);
        job->number = 7;
        pthread_create(&thread, 0, work, job);
    }
}
