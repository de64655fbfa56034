//@ verdict: holds
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t lock, timed;

int wait(void *unused) {
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    return mtx_timedlock(&timed, &until);
}

int main(void) {
    thrd_t t;
    int result;
    mtx_init(&lock, mtx_plain | mtx_recursive);
    mtx_lock(&lock);
    assert(mtx_lock(&lock) == thrd_success);
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    mtx_init(&timed, mtx_timed);
    mtx_lock(&timed);
    thrd_create(&t, wait, NULL);
    thrd_join(t, &result);
    assert(result == thrd_timedout);
}
