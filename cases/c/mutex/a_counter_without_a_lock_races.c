//@ verdict: violated "data race"
//@ verdict with --property unreach-call: violated "counter == 2"
//@ verdict with --property no-deadlock: holds
//@ verdict with --property valid-memsafety: holds
// Each property has its own answer: the race is none to `unreach-call`.
#include <assert.h>
#include <pthread.h>

int counter;

void *add(void *unused) {
    counter++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
}
