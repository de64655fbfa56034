//@ verdict: violated "data race"
// memcpy reads bytes and is no atomic operation (C11 7.24.2.1), so it conflicts with the
// atomic store.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

atomic_int n;

void *write_it(void *unused) {
    atomic_store(&n, 1);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    int copy;
    memcpy(&copy, (void *)&n, sizeof copy);
    pthread_join(one, NULL);
    return copy;
}
