//@ verdict with --reduction auto --max-states 5000: holds
//@ verdict with --reduction auto --max-states 1000 -DJOIN: holds
// Five threads that do the same. Which of them is where makes no difference: neither where
// nobody has their handles, nor where `main` has them in an array and only joins.
#include <pthread.h>
#include <stddef.h>

#define N 5

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    count--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++) {
#ifdef JOIN
        pthread_join(threads[i], NULL);
#else
        pthread_detach(threads[i]);
#endif
    }
    pthread_exit(NULL);
}
