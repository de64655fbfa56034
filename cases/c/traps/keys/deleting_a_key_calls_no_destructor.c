//@ verdict: holds
// No destructor is called by pthread_key_delete, nor by a later end of the thread (POSIX,
// pthread_key_delete).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void destroy(void *value) {
    assert(0);
}

void *work(void *unused) {
    pthread_setspecific(key, &key);
    pthread_key_delete(key);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return 0;
}
