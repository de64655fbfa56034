//@ args: --property termination
//@ verdict: violated
// Each takes its wish back when it sees that of the other; a fair schedule in which both
// do so in step goes on for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int wants[2];

void *left(void *unused) {
    wants[0] = 1;
    while (wants[1]) {
        wants[0] = 0;
        wants[0] = 1;
    }
    wants[0] = 0;
    return NULL;
}

void *right(void *unused) {
    wants[1] = 1;
    while (wants[0]) {
        wants[1] = 0;
        wants[1] = 1;
    }
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
