//@ args: --property unreach-call --invariant is_low
//@ verdict: violated "is_low"
//@ verdict with --order dfs: violated "is_low"
//@ verdict with --reduction global: violated "is_low"
// Once main has ended nobody else may touch these variables, so the thread goes alone, and as far
// as it can at once: but not past the write that the invariant depends on.
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
    pthread_exit(NULL);
}
