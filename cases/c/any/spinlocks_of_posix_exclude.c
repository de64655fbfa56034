//@ args: --threads any
//@ verdict: holds
#include <pthread.h>

int shared;
pthread_spinlock_t lock;

void *work(void *unused) {
    pthread_spin_lock(&lock);
    shared++;
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, 0);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
