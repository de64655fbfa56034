//@ verdict: violated "data race"
// The write comes after the unlock, so nothing orders it before the read (C11
// 5.1.2.4p25).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *block;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    pthread_mutex_lock(&lock);
    block = fresh;
    pthread_mutex_unlock(&lock);
    *fresh = 5;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    pthread_mutex_lock(&lock);
    int *seen = block;
    if (seen)
        *seen = 6;
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    free(block);
    return 0;
}
