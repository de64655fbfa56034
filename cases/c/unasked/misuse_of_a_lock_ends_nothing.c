//@ args: --property unreach-call
//@ verdict: unknown "not asked about"
// Programs go on after this, so that what comes behind matters.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_unlock(&lock);
    assert(0);
}
