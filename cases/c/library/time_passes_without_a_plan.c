//@ verdict: violated "is_done"
// Sleeping orders nothing: the thread may not have run after a second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int is_done;

void *work(void *unused) {
    is_done = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sleep(1);
    assert(is_done);
    pthread_join(t, NULL);
}
