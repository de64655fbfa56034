//@ verdict: holds
// Store buffering: sequential consistency forbids that both see the old value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_x, seen_y;

void *left(void *unused) {
    atomic_store(&x, 1);
    seen_y = atomic_load(&y);
    return NULL;
}

void *right(void *unused) {
    atomic_store(&y, 1);
    seen_x = atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x == 1 || seen_y == 1);
}
