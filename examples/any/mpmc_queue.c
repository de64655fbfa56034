//@ verdict with --threads any: holds
//@ verdict with --threads any -DBROKEN: violated
//@ verdict with -DN=3 --property unreach-call,no-data-race: holds
//@ verdict with -DN=3 -DBROKEN --property unreach-call,no-data-race: violated
//@ verdict with -DN=2 -DBROKEN --property unreach-call,no-data-race: holds
// A queue with room for two, for any number of producers and consumers: a ring, a lock, and
// two conditions to wait for.
//
//     threadproof check examples/any/mpmc_queue.c --threads any
//
// proves that nobody puts an item where one lies, and that nobody takes what is not there.
// With -DBROKEN a producer looks whether there is room before it takes the lock, to save
// time, and believes what it saw. One producer fills the first place; two more see room for
// one, and both use it. Three threads are needed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define ROOM 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;
pthread_cond_t has_items = PTHREAD_COND_INITIALIZER;
atomic_int n_items; /* atomic, since a producer may look at it outside of the lock */
int first;          /* where the oldest item lies */
int items[ROOM];    /* 0 where none lies */

void put(int item) {
#ifdef BROKEN
    while (n_items == ROOM)
        ;
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    while (n_items == ROOM)
        pthread_cond_wait(&has_room, &lock);
#endif
    int place = (first + n_items) % ROOM;
    assert(items[place] == 0);
    items[place] = item;
    n_items++;
    pthread_cond_signal(&has_items);
    pthread_mutex_unlock(&lock);
}

int take(void) {
    pthread_mutex_lock(&lock);
    while (n_items == 0)
        pthread_cond_wait(&has_items, &lock);
    int item = items[first];
    items[first] = 0;
    first = (first + 1) % ROOM;
    n_items--;
    pthread_cond_signal(&has_room);
    pthread_mutex_unlock(&lock);
    return item;
}

void *produce(void *unused) {
    put(1);
    return NULL;
}

void *consume(void *unused) {
    assert(take() == 1);
    return NULL;
}

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, __VERIFIER_nondet_bool() ? produce : consume, NULL);
}
