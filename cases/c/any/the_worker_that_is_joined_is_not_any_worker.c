//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// Main joins the only thread that writes, among many that read something else.
// May be unknown: a join of one thread of many.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int written;

void *work(void *argument) {
    if (argument)
        written = 1;
    return 0;
}

int main(void) {
    pthread_t writer, thread;
    pthread_create(&writer, 0, work, &written);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_join(writer, 0);
    written = 2;
}
