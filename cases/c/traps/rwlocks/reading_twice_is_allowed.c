//@ verdict: holds
// A thread may hold several read locks at once and must unlock as often (POSIX,
// pthread_rwlock_rdlock); no writer is about.
#include <pthread.h>
#include <stdlib.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *read_twice(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, read_twice, NULL);
    pthread_create(&two, NULL, read_twice, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
