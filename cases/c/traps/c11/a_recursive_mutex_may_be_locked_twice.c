//@ verdict: holds
// mtx_recursive allows it (C11 7.26.4.2p2, 7.26.4.3p2), and others get it after the last
// unlock.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

mtx_t lock;
int n;

int count(void *unused) {
    mtx_lock(&lock);
    mtx_lock(&lock);
    n++;
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t one;
    mtx_init(&lock, mtx_plain | mtx_recursive);
    thrd_create(&one, count, NULL);
    count(NULL);
    thrd_join(one, NULL);
    assert(n == 2);
    return 0;
}
