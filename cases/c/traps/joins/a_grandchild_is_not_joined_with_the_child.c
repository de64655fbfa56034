//@ verdict: violated "data race"
// The join waits for one thread, not for those that it created (POSIX, pthread_join).
#include <pthread.h>
#include <stdlib.h>

int n;

void *work(void *unused) {
    n = 5;
    return NULL;
}

void *supervise(void *unused) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_detach(worker);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, supervise, NULL);
    pthread_join(one, NULL);
    return n;
}
