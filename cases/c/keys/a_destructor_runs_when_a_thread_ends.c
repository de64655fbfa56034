//@ verdict: holds
// It gets the value; a thread that set nothing has none to destroy.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int n_destroyed;

void destroy(void *value) {
    assert(*(int *)value == 5);
    free(value);
    n_destroyed++;
}

void *set(void *unused) {
    int *value = malloc(sizeof *value);
    *value = 5;
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, value);
    assert(pthread_getspecific(key) == value);
    return NULL;
}

void *do_not_set(void *unused) { return NULL; }

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, do_not_set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n_destroyed == 1);
    assert(pthread_getspecific(key) == NULL);
}
