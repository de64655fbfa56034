//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int constant;

void *look(void *unused) {
    assert(constant == 3);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    constant = 3;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, look, NULL);
    look(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
