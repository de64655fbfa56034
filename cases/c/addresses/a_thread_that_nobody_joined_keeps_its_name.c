//@ verdict: holds
// The first thread has ended when the second one is created, and its ID is not free yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void *work(void *unused) {
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    assert(!pthread_equal(one, two));
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
