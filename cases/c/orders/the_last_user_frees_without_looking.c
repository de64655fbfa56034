//@ verdict: violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The counter is right, but nothing orders the other user's read before the end. */
struct shared {
    atomic_int n_users;
    int value;
};

static void *use(void *arg) {
    struct shared *shared = arg;
    int seen = shared->value;
    if (atomic_fetch_sub_explicit(&shared->n_users, 1, memory_order_relaxed) == 1) {
        free(shared);
    }
    return seen == 3 ? NULL : arg;
}

int main(void) {
    struct shared *shared = malloc(sizeof *shared);
    atomic_init(&shared->n_users, 2);
    shared->value = 3;
    pthread_t other;
    pthread_create(&other, NULL, use, shared);
    use(shared);
    pthread_join(other, NULL);
    return 0;
}
