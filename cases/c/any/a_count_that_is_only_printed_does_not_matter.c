//@ args: --threads any
//@ verdict: holds
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_uint n_calls, longest;

void *work(void *unused) {
    unsigned mine = atomic_fetch_add(&n_calls, 1);
    longest = mine + 2;
    printf("call %u of %u\n", mine, longest);
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
