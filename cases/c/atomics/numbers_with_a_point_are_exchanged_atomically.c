//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic double sum;

void *add(void *unused) {
    sum += 0.5;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 1.0);
}
