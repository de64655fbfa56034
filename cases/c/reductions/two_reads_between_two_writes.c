//@ args: --property unreach-call
//@ verdict: violated "never"
//@ verdict with --reduction superstep: violated "never"
//@ verdict with --reduction superstep --order dfs: violated "never"
//@ verdict with --reduction global: violated "never"
// The reads see the first write and not the second. A superstep that goes on after a first
// step that conflicts with another thread's loses that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

void *write(void *unused) {
    first = 1;
    second = 1;
    return NULL;
}

void *read(void *unused) {
    int new = first;
    int old = second;
    int never = !(new == 1 && old == 0);
    assert(never);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, NULL);
    pthread_create(&b, NULL, read, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
