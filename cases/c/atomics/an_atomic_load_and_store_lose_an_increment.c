//@ verdict: violated "counter == 2"
//@ verdict with --property no-data-race: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *add(void *unused) {
    atomic_store(&counter, atomic_load(&counter) + 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
}
