//@ args: --threads any
//@ verdict: violated "owner == mine"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(char *) owner;

void *work(void *unused) {
    char *mine = malloc(1);
    owner = mine;
    assert(owner == mine);
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
