//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// There is one node at a time in the box, and whoever takes it out frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) box;

void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 7;
    int *theirs = atomic_exchange(&box, mine);
    if (theirs) {
        assert(*theirs == 7);
        free(theirs);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
