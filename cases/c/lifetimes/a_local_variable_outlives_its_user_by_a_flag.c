//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
//@ verdict with -DWEAK: violated "data race"
//@ verdict with -DWEAK --reduction none: violated "data race"
//@ verdict with -DWEAK --reduction global: violated "data race"
//@ verdict with -DWEAK --reduction superstep: violated "data race"
//@ verdict with -DBLOCK: holds
//@ verdict with -DBLOCK --reduction none: holds
//@ verdict with -DBLOCK --reduction global: holds
//@ verdict with -DBLOCK --reduction superstep: holds
//@ verdict with -DWEAK -DBLOCK: violated "data race"
//@ verdict with -DWEAK -DBLOCK --reduction none: violated "data race"
//@ verdict with -DWEAK -DBLOCK --reduction global: violated "data race"
//@ verdict with -DWEAK -DBLOCK --reduction superstep: violated "data race"
// The function, or the block, waits until the other thread is done; a relaxed flag does not
// order the accesses before the end.
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

atomic_int done;

static void *write(void *arg) {
    *(int *)arg = 1;
    atomic_store_explicit(&done, 1, ORDER);
    return NULL;
}

static void start(void) {
    pthread_t thread;
#ifdef BLOCK
    {
#endif
        int local = 0;
        pthread_create(&thread, NULL, write, &local);
        while (!atomic_load_explicit(&done, ORDER));
#ifdef BLOCK
    }
#endif
    pthread_detach(thread);
}

int main(void) {
    start();
    return 0;
}
