//@ verdict: holds presuming sequential-consistency
// A loop that spins for ever in theory has finitely many states.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int counter;

void *add(void *unused) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    counter++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
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
