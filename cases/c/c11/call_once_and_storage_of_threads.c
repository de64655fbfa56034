//@ verdict: holds
#include <assert.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
tss_t key;
int n_made;

void make(void) {
    n_made++;
    assert(tss_create(&key, NULL) == thrd_success);
}

int work(void *argument) {
    call_once(&once, make);
    assert(tss_get(key) == NULL);
    tss_set(key, argument);
    thrd_yield();
    assert(tss_get(key) == argument);
    return 0;
}

int main(void) {
    thrd_t a, b;
    int x, y;
    thrd_create(&a, work, &x);
    thrd_create(&b, work, &y);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(n_made == 1);
}
