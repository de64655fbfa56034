//@ args: --property valid-memsafety,unreach-call
//@ verdict: holds
//@ verdict with -DNO_DESTRUCTOR: violated "not freed"
//@ verdict with -DTWICE: violated "after it was freed"
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void *keep(void *unused) {
    void *block = malloc(4);
    pthread_setspecific(key, block);
#ifdef TWICE
    free(block);
#endif
#ifdef NO_DESTRUCTOR
    pthread_setspecific(key, NULL);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, keep, NULL);
    pthread_join(thread, NULL);
}
