//@ verdict: violated
//@ verdict with --property unreach-call: holds
// The thread gets the address of a variable of a function that may have returned.
#include <pthread.h>

pthread_t t;

void *use(void *argument) {
    *(int *)argument = 1;
    return NULL;
}

void start(void) {
    int local = 0;
    pthread_create(&t, NULL, use, &local);
}

int main(void) {
    start();
    pthread_join(t, NULL);
}
