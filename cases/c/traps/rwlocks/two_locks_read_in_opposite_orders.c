//@ verdict: holds
// Read locks do not keep each other out (POSIX, pthread_rwlock_rdlock), and nobody
// writes.
#include <pthread.h>
#include <stdlib.h>

pthread_rwlock_t left = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t right = PTHREAD_RWLOCK_INITIALIZER;

void *read_left_first(void *unused) {
    pthread_rwlock_rdlock(&left);
    pthread_rwlock_rdlock(&right);
    pthread_rwlock_unlock(&right);
    pthread_rwlock_unlock(&left);
    return NULL;
}

void *read_right_first(void *unused) {
    pthread_rwlock_rdlock(&right);
    pthread_rwlock_rdlock(&left);
    pthread_rwlock_unlock(&left);
    pthread_rwlock_unlock(&right);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, read_left_first, NULL);
    pthread_create(&two, NULL, read_right_first, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
