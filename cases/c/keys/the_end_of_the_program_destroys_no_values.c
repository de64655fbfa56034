//@ verdict: holds
// Destructors run when a thread ends, not when main returns.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void destroy(void *value) { assert(0); }

int main(void) {
    static int value;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &value);
    return 0;
}
