//@ args: --property no-data-race
//@ verdict: violated "data race"
//@ verdict with --reduction none: violated "data race"
//@ verdict with --reduction global: violated "data race"
//@ verdict with --reduction superstep: violated "data race"
//@ verdict with -DWEAK: violated "data race"
//@ verdict with -DWEAK --reduction none: violated "data race"
//@ verdict with -DWEAK --reduction global: violated "data race"
//@ verdict with -DWEAK --reduction superstep: violated "data race"
//@ verdict with -DORDERED: holds
//@ verdict with -DORDERED --reduction none: holds
//@ verdict with -DORDERED --reduction global: holds
//@ verdict with -DORDERED --reduction superstep: holds
//@ verdict with -DWEAK -DORDERED: holds presuming sequential-consistency
//@ verdict with -DWEAK -DORDERED --reduction none: holds presuming sequential-consistency
//@ verdict with -DWEAK -DORDERED --reduction global: holds presuming sequential-consistency
//@ verdict with -DWEAK -DORDERED --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DIN_ARGUMENT: violated "data race"
//@ verdict with -DIN_ARGUMENT --reduction none: violated "data race"
//@ verdict with -DIN_ARGUMENT --reduction global: violated "data race"
//@ verdict with -DIN_ARGUMENT --reduction superstep: violated "data race"
//@ verdict with -DSELF: holds
//@ verdict with -DSELF --reduction none: holds
//@ verdict with -DSELF --reduction global: holds
//@ verdict with -DSELF --reduction superstep: holds
// POSIX does not say that a new thread finds the `pthread_t` that `pthread_create` writes.
// Behind a lock that its creator holds, it does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job {
    pthread_t thread;
    int is_self;
};

struct job global;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int weak;

static void *work(void *arg) {
    struct job *job = arg;
#ifdef ORDERED
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
#ifdef SELF
    pthread_t self = pthread_self();
#else
    pthread_t self = job->thread;
#endif
    job->is_self = pthread_equal(self, pthread_self());
    return NULL;
}

int main(void) {
#ifdef IN_ARGUMENT
    struct job *job = malloc(sizeof *job);
#else
    struct job *job = &global;
#endif
#ifdef WEAK
    atomic_fetch_add_explicit(&weak, 1, memory_order_relaxed);
#endif
#ifdef ORDERED
    pthread_mutex_lock(&lock);
#endif
    pthread_create(&job->thread, NULL, work, job);
#ifdef ORDERED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(job->thread, NULL);
    return 0;
}
