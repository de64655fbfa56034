//@ args: --property termination
//@ verdict: violated
// The teller signals again and again without changing anything; no wake-up of this run is
// spurious (POSIX, pthread_cond_signal).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready;

void *tell(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
