//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: violated `result == 0`
// Fails with 1 thread beside main.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 64
#endif

extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *argument) {
    return __VERIFIER_nondet_bool() ? argument : 0;
}

int main(void) {
    pthread_t threads[N];
    void *result;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, &threads[0]);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], &result);
        assert(result == 0);
    }
}
