//@ args: --property termination
//@ verdict: violated
// The spinning thread may look before and after the flag is up, but never in between; C
// promises nothing about how often it looks.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int flag;

void *flash(void *unused) {
    flag = 1;
    flag = 0;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, flash, NULL);
    while (!flag)
        ;
    pthread_join(one, NULL);
    return 0;
}
