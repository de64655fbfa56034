//@ verdict: holds
// A thread may detach itself (POSIX, pthread_detach); nobody joins it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int is_done;

void *work(void *unused) {
    pthread_detach(pthread_self());
    is_done = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    while (!is_done)
        ;
    return 0;
}
