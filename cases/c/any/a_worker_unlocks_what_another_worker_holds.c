//@ args: --threads any
//@ verdict: violated "unlock"
// Whoever finds the mark belongs to the second thread. Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_bool is_held;

void *work(void *unused) {
    if (atomic_load(&is_held)) {
        pthread_mutex_unlock(&lock);
    } else {
        pthread_mutex_lock(&lock);
        atomic_store(&is_held, 1);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
