//@ verdict: holds
// A thread that has ended and was not joined keeps its ID, and so does one that runs.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *unused) {
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    assert(!pthread_equal(one, two) && !pthread_equal(two, pthread_self()));
    pthread_join(one, NULL);
    assert(!pthread_equal(one, two) && !pthread_equal(one, pthread_self()));
    pthread_join(two, NULL);
}
