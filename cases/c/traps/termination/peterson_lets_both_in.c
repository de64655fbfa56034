//@ args: --property termination
//@ verdict: holds
// Whoever writes the turn last waits, and the other one goes in and leaves (Peterson
// 1981; all accesses are sequentially consistent, C11 7.17.3p6).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int wants[2], turn;

void *left(void *unused) {
    wants[0] = 1;
    turn = 1;
    while (wants[1] && turn == 1)
        ;
    wants[0] = 0;
    return NULL;
}

void *right(void *unused) {
    wants[1] = 1;
    turn = 0;
    while (wants[0] && turn == 0)
        ;
    wants[1] = 0;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
