//@ verdict: violated
//@ verdict with --property valid-memsafety: violated "after it was freed"
//@ verdict with --property no-data-race: violated "data race"
//@ verdict with --property no-data-race --reduction none: violated "data race"
//@ verdict with --property no-data-race --reduction global: violated "data race"
//@ verdict with --property no-data-race --reduction superstep: violated "data race"
//@ verdict with --property no-data-race -DREADS: violated "data race"
//@ verdict with --property no-data-race -DFREES: violated "data race"
//@ verdict with --property no-data-race -DMOVES: violated "data race"
//@ verdict with --property no-data-race -DRELEASED --memory-model sc: holds
//@ verdict with --property no-data-race -DRELEASED --memory-model sc --reduction none: holds
//@ verdict with --property no-data-race -DRELEASED -DFREES --memory-model sc: holds
//@ verdict with --property valid-memsafety -DRELEASED: violated "after it was freed"
// The end of an object is a write to all of it. A flag that orders nothing says that it has
// happened: what comes after is use after free, and races with the end besides.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELEASED
#define SEND memory_order_release
#define RECEIVE memory_order_acquire
#else
#define SEND memory_order_relaxed
#define RECEIVE memory_order_relaxed
#endif

static int *shared;
static atomic_int is_freed;

static void *end(void *arg) {
    free(shared);
    atomic_store_explicit(&is_freed, 1, SEND);
    return arg;
}

int main(void) {
    pthread_t thread;
    shared = calloc(2, sizeof *shared);
    int *mine = shared;
    pthread_create(&thread, NULL, end, NULL);
    if (atomic_load_explicit(&is_freed, RECEIVE)) {
#if defined(READS)
        int seen = mine[1];
        (void)seen;
#elif defined(FREES)
        free(mine);
#elif defined(MOVES)
        mine = realloc(mine, 4);
#else
        mine[1] = 1;
#endif
    }
    pthread_join(thread, NULL);
    return 0;
}
