//@ verdict: violated "null pointer"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int *) shared;
int target;

void *read_it(void *unused) {
    int *pointer = atomic_load(&shared);
    return (void *)(long)*pointer;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, read_it, NULL);
    atomic_store(&shared, &target);
    pthread_join(t, NULL);
}
