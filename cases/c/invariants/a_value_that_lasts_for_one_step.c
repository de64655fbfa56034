//@ args: --property unreach-call --invariant is_low
//@ verdict: violated "is_low"
//@ verdict with --reduction superstep: violated "is_low"
//@ verdict with --reduction superstep --order dfs: violated "is_low"
//@ verdict with --reduction global: violated "is_low"
// The level is high between two writes that nobody else looks at. A superstep ends with a
// write that the invariant depends on, or it hides that.
#include <pthread.h>
#include <stdatomic.h>

atomic_int own, level;

int is_low(void) {
    return level < 2;
}

void *raise(void *unused) {
    own = 1;
    level = 2;
    level = 0;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, raise, NULL);
    pthread_join(a, NULL);
}
