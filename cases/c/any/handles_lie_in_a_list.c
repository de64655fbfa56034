//@ args: --threads any
//@ verdict: holds
// May be unknown: the list has no bound.
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

struct worker {
    pthread_t thread;
    struct worker *next;
};
int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    struct worker *first = 0;
    for (int i = 0, n = N; i < n; i++) {
        struct worker *worker = malloc(sizeof *worker);
        worker->next = first;
        first = worker;
        pthread_create(&worker->thread, 0, work, 0);
    }
    while (first) {
        struct worker *next = first->next;
        pthread_join(first->thread, 0);
        free(first);
        first = next;
    }
    shared = 2;
}
