//@ verdict: holds
//@ verdict with -DSWAPPED: violated "results[0]"
//@ verdict with --reduction global: holds
//@ verdict with --reduction global -DSWAPPED: violated "results[0]"
// `main` does nothing but join, and keeps what the threads have returned. It looks at that
// later, in another step than the last join.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int all_joined;

void *run(void *result) {
    return result;
}

int main(void) {
    pthread_t threads[2];
    void *results[2];
    for (long i = 0; i < 2; i++)
#ifdef SWAPPED
        pthread_create(&threads[i], NULL, run, (void *)(2 - i));
#else
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &results[i]);
    all_joined = 1;
    assert(results[0] == (void *)1 && results[1] == (void *)2);
}
