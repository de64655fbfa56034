//@ verdict: violated "data race"
//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -O2: holds
#include <assert.h>
#include <pthread.h>

volatile int is_ready, message;

void *send(void *unused) {
    message = 1;
    is_ready = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    while (!is_ready)
        ;
    assert(message == 1);
    pthread_join(t, NULL);
}
