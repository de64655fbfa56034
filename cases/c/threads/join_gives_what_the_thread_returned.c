//@ verdict: holds
#include <assert.h>
#include <pthread.h>

void *by_return(void *argument) { return argument; }

void leave(void *argument) { pthread_exit(argument); }

void *by_exit(void *argument) {
    leave(argument);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    void *result_a, *result_b;
    int x;
    pthread_create(&a, NULL, by_return, &x);
    pthread_create(&b, NULL, by_exit, (void *)7L);
    pthread_join(b, &result_b);
    pthread_join(a, &result_a);
    assert(result_a == &x && result_b == (void *)7L);
    assert(!pthread_equal(a, pthread_self()));
}
