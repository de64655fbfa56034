//@ args: --property unreach-call
//@ verdict: violated "second_is_gone"
// The order of destructors is unspecified if a thread has several (POSIX,
// pthread_key_create).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t first, second;
int second_is_gone;

void destroy_first(void *value) {
    assert(second_is_gone);
}

void destroy_second(void *value) {
    second_is_gone = 1;
}

void *work(void *unused) {
    pthread_setspecific(first, &first);
    pthread_setspecific(second, &second);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&first, destroy_first);
    pthread_key_create(&second, destroy_second);
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return 0;
}
