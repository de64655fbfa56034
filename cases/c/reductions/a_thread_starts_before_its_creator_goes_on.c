//@ args: --property unreach-call
//@ verdict: violated "seen == 1"
//@ verdict with --reduction superstep: violated "seen == 1"
//@ verdict with --reduction superstep --order dfs: violated "seen == 1"
//@ verdict with --reduction global: violated "seen == 1"
// The creator writes after it has created the thread. A superstep that goes on after that
// loses the run in which the new thread is first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int own, written;

void *look(void *unused) {
    int seen = written;
    assert(seen == 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    own = 1;
    pthread_create(&a, NULL, look, NULL);
    written = 1;
    pthread_join(a, NULL);
}
