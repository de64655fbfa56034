//@ verdict: violated "deadlock"
//@ verdict with --reduction superstep: violated "deadlock"
//@ verdict with --reduction global: violated "deadlock"
//@ verdict with --reduction none: violated "deadlock"
//@ verdict with --rwlock writers: violated "for which a writer waits"
//@ verdict with --rwlock readers: holds
//@ verdict with -DONCE: holds
//@ verdict with -DONCE --reduction superstep: holds
//@ verdict with -DONCE --rwlock writers: holds
// POSIX does not say whether a reader gets the lock while a writer waits for it. If it does
// not, a thread that reads already and asks again waits for the writer, who waits for it.
#include <pthread.h>
#include <stddef.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

void *write(void *unused) {
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, write, NULL);
    pthread_rwlock_rdlock(&lock);
#ifndef ONCE
    pthread_rwlock_rdlock(&lock);
#endif
    int seen = value;
#ifndef ONCE
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_unlock(&lock);
    pthread_join(id, NULL);
    return seen == 7;
}
