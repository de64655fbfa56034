//@ verdict: violated "data race"
#include <pthread.h>
#include <stdatomic.h>

int x;

void *store(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, store, NULL);
    int seen = x;
    pthread_join(t, NULL);
    return seen;
}
