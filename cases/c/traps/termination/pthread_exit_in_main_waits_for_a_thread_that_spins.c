//@ args: --property termination
//@ verdict: violated
// The process ends after its last thread has ended (POSIX, pthread_exit), and that one
// spins.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int never;

void *spin(void *unused) {
    while (!never)
        ;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, spin, NULL);
    pthread_exit(NULL);
}
