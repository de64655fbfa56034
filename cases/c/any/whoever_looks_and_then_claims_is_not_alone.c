//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

int setting;
atomic_bool is_claimed;

void *work(void *unused) {
    if (!is_claimed) {
        is_claimed = 1;
        setting = 7;
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
