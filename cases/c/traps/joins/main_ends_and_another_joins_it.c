//@ verdict: holds
// The initial thread may be joined like any other after it has called pthread_exit
// (POSIX, pthread_join).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_t first;
int n;

void *work(void *unused) {
    pthread_join(first, NULL);
    assert(n == 5);
    return NULL;
}

int main(void) {
    pthread_t one;
    first = pthread_self();
    pthread_create(&one, NULL, work, NULL);
    n = 5;
    pthread_exit(NULL);
}
