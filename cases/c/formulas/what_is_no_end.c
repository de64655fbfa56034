//@ verdict with --property termination -DDEADLOCK: violated
//@ verdict with --property termination -DASSUME: holds
//@ verdict with --property termination -DEXIT: holds
//@ verdict with --property termination -DWAIT: violated
//@ verdict with --property termination -DLOOP: violated
// A thread that waits for ever has not ended, and nobody counts on wake-ups for no
// reason. A run that comes to a false assumption is none.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_assume(int);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int is_told;

void *run(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef DEADLOCK
    pthread_mutex_lock(&lock);
#endif
#ifdef WAIT
    if (!is_told)
        pthread_cond_wait(&condition, &lock);
#endif
#ifdef ASSUME
    __VERIFIER_assume(is_told);
#endif
#ifdef LOOP
    for (;;) {
    }
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, run, NULL);
#ifdef EXIT
    exit(0);
#endif
    pthread_join(a, NULL);
}
