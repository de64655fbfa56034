//@ verdict: holds
// What the first caller did before its call happens before the routine, and that before
// every return (POSIX, XBD 4.12).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int input, output;

void initialise(void) {
    output = input + 1;
}

void *work(void *unused) {
    pthread_once(&once, initialise);
    assert(output == 5);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    input = 4;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_once(&once, initialise);
    assert(output == 5 && input == 4);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
