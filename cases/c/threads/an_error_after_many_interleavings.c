//@ verdict with --property unreach-call: violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Six threads have very many interleavings; the error comes after all of them. */
atomic_int done[6];
atomic_int counter;

static void *count(void *arg) {
    atomic_int *mine = arg;
    for (int i = 0; i < 6; i++) {
        atomic_fetch_add(&counter, (int)(mine - done) + i);
        atomic_fetch_xor(mine, i + 1);
    }
    atomic_store(mine, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) {
        pthread_create(&threads[i], NULL, count, &done[i]);
    }
    for (int i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(atomic_load(&counter) != 180);
    return 0;
}
