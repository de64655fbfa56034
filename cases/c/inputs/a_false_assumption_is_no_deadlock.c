//@ verdict: holds
#include <pthread.h>

void __VERIFIER_assume(int);

void *stop(void *unused) {
    __VERIFIER_assume(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, stop, NULL);
    pthread_join(t, NULL);
}
