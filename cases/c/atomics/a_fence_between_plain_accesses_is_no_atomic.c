//@ verdict: violated "data race"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int x, y;

void *left(void *unused) {
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, left, NULL);
    int seen = y;
    pthread_join(t, NULL);
    return seen;
}
