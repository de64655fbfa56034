// The storage of a thread-local variable ends with its thread.
//@ verdict: violated "after it was gone"
//@ verdict with -DMAIN: holds

#include <pthread.h>

_Thread_local int own = 5;
int *kept;

static void *keep(void *unused) {
#ifndef MAIN
    kept = &own;
#endif
    return unused;
}

int main(void) {
    kept = &own;
    pthread_t keeper;
    pthread_create(&keeper, 0, keep, 0);
    pthread_join(keeper, 0);
    return *kept != 5;
}
