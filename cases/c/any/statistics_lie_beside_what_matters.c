//@ args: --threads any
//@ verdict: violated "!is_closed"
// `memset` clears the statistics, and more. Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct {
    int n_calls;
    int is_open;
} gate = {0, 1};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int is_closed = !gate.is_open;
    assert(!is_closed);
    gate.n_calls++;
    memset(&gate, 0, sizeof gate);
    pthread_mutex_unlock(&lock);
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
