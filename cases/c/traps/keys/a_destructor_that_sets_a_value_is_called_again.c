//@ args: --property all
//@ verdict: holds
// If values are left after all destructors ran, they run again, at least
// PTHREAD_DESTRUCTOR_ITERATIONS (4 or more) times (POSIX, pthread_key_create).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int n_calls;

void destroy(void *value) {
    free(value);
    if (++n_calls == 1)
        pthread_setspecific(key, malloc(4));
}

void *work(void *unused) {
    pthread_setspecific(key, malloc(4));
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    assert(n_calls == 2);
    return 0;
}
