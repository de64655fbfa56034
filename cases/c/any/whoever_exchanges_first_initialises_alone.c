//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int setting;
atomic_bool is_claimed, is_ready;

void *work(void *unused) {
    if (!atomic_exchange(&is_claimed, 1)) {
        setting = 7;
        is_ready = 1;
    }
    if (is_ready)
        assert(setting == 7);
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
