//@ args: --property unreach-call
//@ verdict with --switches 0: unknown "up to 0 pre-emptive context switches"
//@ verdict with --switches 1: unknown "up to 1 pre-emptive context switch"
//@ verdict with --switches 2: unknown "up to 2 pre-emptive context switches"
//@ verdict with --switches 3: violated "step == 2"
//@ verdict with --switches ..5: violated "step == 2"
//@ verdict with --switches ..1: unknown "up to 1 pre-emptive context switch"
//@ verdict with --switches ..5 --reduction none: violated "step == 2"
//@ verdict with --switches ..5 --reduction superstep: violated "step == 2"
//@ verdict with --switches ..5 --order dfs: violated "step == 2"
// The watcher must come between the first two writes and after the second: the writer is
// left twice while it could go on, and the watcher once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int step;

void *write(void *unused) {
    step = 1;
    step = 2;
    step = 3;
    return NULL;
}

void *watch(void *unused) {
    if (step == 1)
        assert(!(step == 2));
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, NULL);
    pthread_create(&b, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
