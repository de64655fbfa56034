//@ verdict: violated "another thread"
// A thread ID is free for another thread once the thread was joined (POSIX, 2.9.2).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *unused) {
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_create(&two, NULL, work, NULL);
    assert(!pthread_equal(one, two) && "another thread");
    pthread_join(two, NULL);
}
