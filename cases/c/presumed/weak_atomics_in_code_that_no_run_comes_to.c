//@ verdict: holds
//@ verdict with -DCALLED: holds presuming sequential-consistency
//@ verdict with -DLISTED: holds presuming sequential-consistency
//@ verdict with -DCALLED --memory-model sc: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Only what a run may come to decides whether C allows other executions. */
atomic_int count;

int look(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

#ifdef LISTED
int (*const ways[])(void) = { look };
#endif

static void *work(void *arg) {
    atomic_fetch_add(&count, 1);
#ifdef CALLED
    look();
#endif
#ifdef LISTED
    ways[0]();
#endif
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_fetch_add(&count, 1);
    pthread_join(thread, NULL);
    assert(atomic_load(&count) == 2);
    return 0;
}
