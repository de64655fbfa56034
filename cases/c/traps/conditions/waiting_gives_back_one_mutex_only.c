//@ verdict: violated "deadlock"
// The wait releases the mutex that it is given (POSIX, pthread_cond_wait), and the thread
// keeps the outer one, which the other thread needs.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready;

void *tell(void *unused) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!is_ready)
        pthread_cond_wait(&changed, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(one, NULL);
    return 0;
}
