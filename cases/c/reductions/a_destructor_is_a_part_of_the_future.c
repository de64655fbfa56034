//@ args: --property unreach-call
//@ verdict: violated "both"
//@ verdict with --reduction global: violated "both"
//@ verdict with --reduction none: violated "both"
// What the second thread does, it does in the destructor of a key, which only `main` names,
// and `main` has ended. A first thread that goes alone is first or last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_key_t key;
atomic_int left, right, n_done;
atomic_int seen_left, seen_right;

static void check(void) {
    if (atomic_fetch_add(&n_done, 1) == 1) {
        int both = seen_left && seen_right;
        assert(!both);
    }
}

static void *first(void *unused) {
    left = 1;
    seen_right = right;
    check();
    return NULL;
}

static void second(void *unused) {
    right = 1;
    seen_left = left;
    check();
}

static void *end_with_a_value(void *unused) {
    pthread_setspecific(key, &key);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, second);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, end_with_a_value, NULL);
    pthread_exit(NULL);
}
