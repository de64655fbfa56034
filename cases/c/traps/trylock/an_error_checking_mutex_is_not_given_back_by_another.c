//@ verdict: violated "data race"
// The unlock by a thread that is not the owner fails with EPERM (POSIX,
// pthread_mutex_unlock), but nobody looks, and that thread never had the lock.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock;
int n;

void *count(void *unused) {
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *count_without(void *unused) {
    pthread_mutex_unlock(&lock);
    n++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, count_without, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
