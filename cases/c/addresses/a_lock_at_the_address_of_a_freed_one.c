//@ verdict: violated "another lock"
// Who tells locks apart by their addresses takes a new one for the old one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t *new_lock(void) {
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    return lock;
}

int main(void) {
    pthread_mutex_t *lock = new_lock();
    uintptr_t seen = (uintptr_t)lock;
    pthread_mutex_destroy(lock);
    free(lock);
    lock = new_lock();
    assert((uintptr_t)lock != seen && "another lock");
    pthread_mutex_destroy(lock);
    free(lock);
}
