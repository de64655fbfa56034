//@ verdict: holds
//@ verdict with --property unreach-call: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *stop(void *unused) {
    abort();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, stop, NULL);
    pthread_join(t, NULL);
    assert(0);
}
