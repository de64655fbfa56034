//@ verdict: holds
#include <assert.h>
#include <threads.h>

mtx_t lock;
cnd_t changed;
int n_items, sum;

int consume(void *unused) {
    mtx_lock(&lock);
    while (n_items == 0)
        cnd_wait(&changed, &lock);
    n_items--;
    sum += 1;
    mtx_unlock(&lock);
    return 5;
}

int main(void) {
    thrd_t a, b;
    int result;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    thrd_create(&a, consume, NULL);
    thrd_create(&b, consume, NULL);
    mtx_lock(&lock);
    n_items = 2;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    thrd_join(a, &result);
    assert(result == 5);
    thrd_join(b, NULL);
    assert(sum == 2 && n_items == 0);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
}
