//@ verdict: violated "data race"
#include <pthread.h>
#include <stddef.h>

void *count(void *unused) {
    static int n_calls;
    n_calls++;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, count, NULL);
    count(NULL);
    pthread_join(t, NULL);
}
