//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 4 threads beside main (N = 2): two workers and their threads.
#include <pthread.h>

int written;

void *write(void *unused) {
    written++;
    return 0;
}

void *work(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
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
