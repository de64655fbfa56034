//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 3 threads beside main: whoever writes has created another one.
#include <pthread.h>

int shared;

void *work(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
