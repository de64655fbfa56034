//@ verdict: violated
#include <pthread.h>

/* A lock that was not taken tells that somebody holds it, and orders nothing. */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int message;

static void *send(void *arg) {
    message = 42;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    if (pthread_mutex_trylock(&lock) != 0) {
        message++;
    } else {
        pthread_mutex_unlock(&lock);
    }
    pthread_join(sender, NULL);
    return 0;
}
