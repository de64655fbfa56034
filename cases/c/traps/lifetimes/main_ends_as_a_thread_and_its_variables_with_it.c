//@ verdict: violated
// After `pthread_exit`, access to local variables of the thread is undefined (POSIX,
// pthread_exit), and the other thread runs on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    int value = *(int *)argument;
    assert(value == 5);
    return NULL;
}

int main(void) {
    pthread_t one;
    int value = 5;
    pthread_create(&one, NULL, work, &value);
    pthread_exit(NULL);
}
