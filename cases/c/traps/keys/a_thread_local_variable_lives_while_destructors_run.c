//@ verdict: holds
// Its lifetime is the entire execution of the thread (C11 6.2.4p4), and the destructors
// are executed by the thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
_Thread_local int value;

void destroy(void *pointer) {
    assert(pointer == &value && value == 5);
}

void *work(void *unused) {
    value = 5;
    pthread_setspecific(key, &value);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return 0;
}
