//@ verdict: violated "data race"
#include <pthread.h>
#include <stddef.h>

int x;

void *set(void *unused) {
    x = 1;
    return NULL;
}

void *idle(void *unused) { return NULL; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, idle, NULL);
    pthread_join(b, NULL);
    int seen = x;
    pthread_join(a, NULL);
    return seen;
}
