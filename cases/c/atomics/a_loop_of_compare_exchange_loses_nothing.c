//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint product = 1;

void *multiply(void *argument) {
    unsigned old = atomic_load(&product);
    while (!atomic_compare_exchange_weak(&product, &old, old * (unsigned)(long)argument))
        ;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, multiply, (void *)2L);
    pthread_create(&b, NULL, multiply, (void *)3L);
    pthread_create(&c, NULL, multiply, (void *)5L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(product == 30);
}
