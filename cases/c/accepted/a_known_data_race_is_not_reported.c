//@ args: --accept data-race@a_known_data_race_is_not_reported.c:17
//@ verdict: violated "data race on `other`"
//@ verdict with -DONE: holds
//@ note: accepted, and not reported: data-race@a_known_data_race_is_not_reported.c:17
//@ verdict with -DONE -DLOST: violated "assertion"
//@ verdict with -DONE -DWEAK: holds presuming sequential-consistency
//@ verdict with -DWEAK: violated "data race"
// The program goes on after it, and what comes of it is searched.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int one, other;
atomic_int weak;

void *work(void *unused) {
    one++;
#ifndef ONE
    other++;
#endif
#ifdef WEAK
    atomic_fetch_add_explicit(&weak, 1, memory_order_relaxed);
#endif
    return NULL;
}

int main(void) {
    pthread_t left, right;
    pthread_create(&left, NULL, work, NULL);
    pthread_create(&right, NULL, work, NULL);
    pthread_join(left, NULL);
    pthread_join(right, NULL);
#ifdef LOST
    assert(one == 2);
#endif
}
