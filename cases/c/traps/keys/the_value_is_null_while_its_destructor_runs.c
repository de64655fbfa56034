//@ verdict: holds
// The value is set to null before the destructor is called with the old one (POSIX,
// pthread_key_create).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void destroy(void *value) {
    assert(value != NULL);
    assert(pthread_getspecific(key) == NULL);
}

void *work(void *unused) {
    pthread_setspecific(key, &key);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return 0;
}
