//@ verdict: violated "data race on `instance`"
//@ verdict with -DFIXED: holds
// Initialisation on first use, with a first look outside of the lock to save time. Many
// books had it, and it is wrong: the first look is not ordered with the write, so another
// thread may see the pointer before it sees what it points to.
//
//     threadproof check examples/c/double_checked_init.c
//
// names both accesses. With -DFIXED the pointer is atomic: the store releases what was
// written before it, and the load acquires it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct config {
    int size;
};

#ifdef FIXED
_Atomic(struct config *) instance;
#else
struct config *instance;
#endif
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct config *get_config(void) {
    if (instance == NULL) { /* the first look */
        pthread_mutex_lock(&lock);
        if (instance == NULL) {
            struct config *fresh = malloc(sizeof *fresh);
            fresh->size = 64;
            instance = fresh;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

void *use(void *unused) {
    assert(get_config()->size == 64);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
}
