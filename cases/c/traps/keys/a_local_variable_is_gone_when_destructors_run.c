//@ verdict: violated
// The function has returned or called pthread_exit when the destructor runs (POSIX,
// pthread_exit), and its variables are gone (C11 6.2.4p6).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void destroy(void *pointer) {
    assert(*(int *)pointer == 5);
}

void *work(void *unused) {
    int value = 5;
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
