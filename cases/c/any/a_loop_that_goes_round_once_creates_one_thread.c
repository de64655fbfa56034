//@ args: --threads any
//@ verdict: holds
// Two would race. May be unknown: the bound of the loop matters.
#include <pthread.h>

int shared;

void *work(void *unused) {
    shared++;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 1; i++)
        pthread_create(&thread, 0, work, 0);
}
