//@ args: --property all
//@ verdict: holds
// Destructors go on while values are left, whichever key they belong to (POSIX,
// pthread_key_create).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t first, second;
int n_freed;

void free_it(void *value) {
    free(value);
    n_freed++;
}

void hand_back(void *value) {
    pthread_setspecific(first, value);
}

void *work(void *unused) {
    pthread_setspecific(second, malloc(4));
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&first, free_it);
    pthread_key_create(&second, hand_back);
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    assert(n_freed == 1);
    return 0;
}
