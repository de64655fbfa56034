//@ verdict: violated "n_inside == 1"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int n_inside;

void *read_it(void *unused) {
    pthread_rwlock_rdlock(&lock);
    atomic_fetch_add(&n_inside, 1);
    assert(n_inside == 1);
    atomic_fetch_sub(&n_inside, 1);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, read_it, NULL);
    read_it(NULL);
    pthread_join(t, NULL);
}
