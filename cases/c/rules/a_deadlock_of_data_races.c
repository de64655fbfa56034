//@ verdict: violated "deadlock"
//@ rule: deadlock
#include <pthread.h>

pthread_mutex_t data_race = PTHREAD_MUTEX_INITIALIZER, assertion = PTHREAD_MUTEX_INITIALIZER;

void *free_memory(void *unused) {
    pthread_mutex_lock(&assertion);
    pthread_mutex_lock(&data_race);
    pthread_mutex_unlock(&data_race);
    pthread_mutex_unlock(&assertion);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, free_memory, NULL);
    pthread_mutex_lock(&data_race);
    pthread_mutex_lock(&assertion);
    pthread_mutex_unlock(&assertion);
    pthread_mutex_unlock(&data_race);
    pthread_join(thread, NULL);
}
