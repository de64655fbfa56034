//@ verdict: holds presuming sequential-consistency
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* What every user did happens before the memory is freed. */
struct shared {
    atomic_int n_users;
    int value;
};

static void *use(void *arg) {
    struct shared *shared = arg;
    int seen = shared->value;
    if (atomic_fetch_sub_explicit(&shared->n_users, 1, memory_order_acq_rel) == 1) {
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
