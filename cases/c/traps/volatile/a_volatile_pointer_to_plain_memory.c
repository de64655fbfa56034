//@ verdict: violated "data race"
// The pointer is read under the lock, but what it points to is not (C11 5.1.2.4p25); that
// the pointer is volatile says nothing about it.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int value;
int *volatile pointer = &value;

void *write_it(void *unused) {
    pthread_mutex_lock(&lock);
    int *mine = pointer;
    pthread_mutex_unlock(&lock);
    *mine = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    value = 2;
    pthread_join(one, NULL);
    return 0;
}
