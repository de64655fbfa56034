//@ verdict with --threads any: holds
//@ verdict with --threads any -DBROKEN: violated "data race"
//@ verdict with -DN=3: holds
//@ verdict with -DN=2 -DBROKEN: violated "data race"
//@ verdict with -DN=1 -DBROKEN: holds
// Initialisation on first use, with a first look outside of the lock. The pointer is atomic,
// so whoever sees it also sees what it points to.
//
//     threadproof check examples/any/double_checked_init.c --threads any
//
// proves that for any number of users there is one configuration, that nobody sees it half
// made, and that nothing races. With -DBROKEN the pointer is a plain one, and two users
// race for it: one takes the first look, the other one has the lock and writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct config {
    int size;
};

#ifdef BROKEN
struct config *instance;
#else
_Atomic(struct config *) instance;
#endif
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n_made; /* not atomic: the lock protects it */

struct config *get_config(void) {
    if (instance == NULL) { /* the first look */
        pthread_mutex_lock(&lock);
        if (instance == NULL) {
            struct config *fresh = malloc(sizeof *fresh);
            fresh->size = 64;
            instance = fresh;
            n_made++;
            assert(n_made == 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

void *use(void *unused) {
    assert(get_config()->size == 64);
    return NULL;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
#ifdef N
    int n_users = N;
#else
    int n_users = __VERIFIER_nondet_int();
#endif
    pthread_t thread;
    for (int i = 0; i < n_users; i++)
        pthread_create(&thread, NULL, use, NULL);
}
