//@ verdict: holds presuming sequential-consistency
// The second update continues the release sequence of the first (C11 5.1.2.4p10), so the
// reader of 2 synchronises with both threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int messages[2];
atomic_int n;

void *left(void *unused) {
    messages[0] = 1;
    atomic_fetch_add_explicit(&n, 1, memory_order_release);
    return NULL;
}

void *right(void *unused) {
    messages[1] = 1;
    atomic_fetch_add_explicit(&n, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    if (atomic_load_explicit(&n, memory_order_acquire) == 2)
        assert(messages[0] == 1 && messages[1] == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
