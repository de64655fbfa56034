//@ verdict: violated "at line 28"
//@ verdict with -DFIXED: holds
// A counter of users that is not decremented in one step.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int n_users;
    atomic_int value;
};

void *use(void *argument) {
    struct shared *shared = argument;
    shared->value++;
#ifdef FIXED
    if (atomic_fetch_sub(&shared->n_users, 1) == 1)
        free(shared);
#else
    if (--shared->n_users == 0 || shared->n_users == 0)
        free(shared);
#endif
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct shared *shared = malloc(sizeof *shared);
    atomic_init(&shared->n_users, 2);
    atomic_init(&shared->value, 0);
    pthread_create(&a, NULL, use, shared);
    pthread_create(&b, NULL, use, shared);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
