//@ verdict: holds
//@ verdict with -DPLAIN: violated "deadlock"
//@ verdict with -DINCONSISTENT: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock;

void *take(void *unused) {
    pthread_mutex_lock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
#ifndef PLAIN
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
#endif
    int is_robust;
    pthread_mutexattr_getrobust(&kind, &is_robust);
    pthread_mutex_init(&lock, &kind);
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    int error = pthread_mutex_lock(&lock);
    assert(error == 0 || error == EOWNERDEAD);
    if (error == 0) {
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
        error = pthread_mutex_lock(&lock);
        assert(error == EOWNERDEAD);
    } else {
        pthread_join(thread, NULL);
    }
#ifdef INCONSISTENT
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&lock) == ENOTRECOVERABLE);
#else
    assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_consistent(&lock) == EINVAL);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_lock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
#endif
}
