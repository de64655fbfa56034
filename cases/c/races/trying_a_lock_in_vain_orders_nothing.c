//@ verdict: violated
// C11 7.17, POSIX: only a successful lock synchronises.
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *unused) {
    x = 1;
    pthread_mutex_lock(&lock);
    for (;;)
        ;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (pthread_mutex_trylock(&lock) != 0)
        return x;
    pthread_mutex_unlock(&lock);
    return 0;
}
