//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
// A local variable that the sender keeps alive until the other thread is done with it.
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) head;
atomic_int done;

static void *send(void *arg) {
    int local = 1;
    int *p = &local;
    atomic_thread_fence(memory_order_release);
#ifdef LATE
    *p = 2;
#endif
    atomic_store_explicit(&head, p, memory_order_relaxed);
    while (!atomic_load(&done));
    return arg;
}

static void *receive(void *arg) {
    int *p = atomic_load_explicit(&head, memory_order_acquire);
    if (p) ++*p;
    atomic_store(&done, 1);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
