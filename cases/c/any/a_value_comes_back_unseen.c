//@ args: --threads any
//@ verdict: violated "is_mine"
// ABA: the flag is up and down again between two looks. Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool flag;
atomic_int n_raised; /* two at most are counted */

void *work(void *unused) {
    int before = n_raised;
    _Bool down = 0;
    if (atomic_compare_exchange_strong(&flag, &down, 1)) {
        _Bool is_mine = n_raised == before;
        if (before < 2)
            n_raised = before + 1;
        flag = 0;
        assert(is_mine);
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
