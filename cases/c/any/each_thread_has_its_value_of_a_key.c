//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    assert(pthread_getspecific(key) == 0);
    *mine = 7;
    pthread_setspecific(key, mine);
    int *again = pthread_getspecific(key);
    assert(again == mine && *again == 7);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_setspecific(key, 0);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
