//@ verdict: holds
#include <assert.h>
#include <threads.h>

mtx_t lock;

int try(void *unused) {
    return mtx_trylock(&lock) == thrd_busy;
}

int main(void) {
    thrd_t t;
    int was_busy;
    mtx_init(&lock, mtx_plain);
    mtx_lock(&lock);
    thrd_create(&t, try, NULL);
    thrd_join(t, &was_busy);
    mtx_unlock(&lock);
    assert(was_busy);
}
