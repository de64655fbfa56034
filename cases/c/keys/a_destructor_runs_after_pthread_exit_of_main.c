//@ verdict: violated "the destructor ran"
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void destroy(void *value) { assert(!"the destructor ran"); }

int main(void) {
    static int value;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &value);
    pthread_exit(NULL);
}
