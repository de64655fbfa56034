//@ args: --threads any
//@ verdict: holds
// Four tickets, and whoever finds none goes home.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int shared[4];
atomic_bool is_given[4];

void *work(void *unused) {
    for (int i = 0; i < 4; i++)
        if (!atomic_exchange(&is_given[i], 1)) {
            shared[i]++;
            shared[i]--;
            assert(shared[i] == 0);
            is_given[i] = 0;
            return 0;
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
