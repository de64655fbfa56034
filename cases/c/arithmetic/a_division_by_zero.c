//@ verdict: violated "zero"
#include <pthread.h>
#include <stdatomic.h>

atomic_int divisor = 1;

void *clear(void *unused) {
    divisor = 0;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    int result = 12 / divisor;
    pthread_join(t, NULL);
    return result;
}
