//@ verdict: violated "is_ready"
// The wait "endeavors to block" (C11 7.26.3.6p2) and may be unblocked for an unspecified
// reason (C17 says so there), so an `if` is not enough.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

mtx_t lock;
cnd_t changed;
int is_ready;

int tell(void *unused) {
    mtx_lock(&lock);
    is_ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t one;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&one, tell, NULL);
    mtx_lock(&lock);
    if (!is_ready)
        cnd_wait(&changed, &lock);
    assert(is_ready);
    mtx_unlock(&lock);
    thrd_join(one, NULL);
    return 0;
}
