//@ args: --threads any
//@ verdict: violated "result == 0"
// Fails with 1 thread beside main.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t gate;

void *work(void *unused) {
    struct timespec soon = {1, 0};
    int result = sem_timedwait(&gate, &soon);
    assert(result == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&gate, 0, 0);
#ifdef N
    for (int i = 0; i < N; i++) {
#else
    while (1) {
#endif
        pthread_create(&thread, 0, work, 0);
        sem_post(&gate);
    }
}
