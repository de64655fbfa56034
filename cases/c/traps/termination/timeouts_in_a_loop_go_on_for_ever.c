//@ args: --property termination
//@ verdict: violated
// Every wait ends with a timeout (POSIX, pthread_cond_timedwait), and the loop starts
// another one.
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready;

int main(void) {
    struct timespec soon = {0, 0};
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_timedwait(&changed, &lock, &soon);
    pthread_mutex_unlock(&lock);
    return 0;
}
