//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
//@ verdict with -DWEAK: holds presuming sequential-consistency
//@ verdict with -DWEAK --reduction none: holds presuming sequential-consistency
//@ verdict with -DWEAK --reduction global: holds presuming sequential-consistency
//@ verdict with -DWEAK --reduction superstep: holds presuming sequential-consistency
// C says that the completion of `thrd_create` comes before the start of the new thread.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

thrd_t thread;
atomic_int weak;

static int look(void *arg) {
    assert(thrd_equal(thread, thrd_current()));
    return 0;
}

int main(void) {
#ifdef WEAK
    int before = atomic_load_explicit(&weak, memory_order_relaxed);
    assert(before == 0);
#endif
    thrd_create(&thread, look, NULL);
    thrd_join(thread, NULL);
    return 0;
}
