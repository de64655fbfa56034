//@ args: --property unreach-call
//@ verdict: violated "seen"
//@ verdict with --reduction global: violated "seen"
//@ verdict with -DBOTH: holds
// `main` joins the first thread, looks at what both have written, and joins the second one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int written[2];

void *run(void *number) {
    written[(long)number] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    pthread_join(threads[0], NULL);
#ifdef BOTH
    pthread_join(threads[1], NULL);
#endif
    int seen = written[0] && written[1];
    assert(seen);
#ifndef BOTH
    pthread_join(threads[1], NULL);
#endif
}
