//@ args: --property all
//@ verdict: holds presuming sequential-consistency
// The decrements release, and the fence of the last user acquires all of them (C11
// 7.17.4p4).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int n_users;
    int value;
};
struct object *object;

void *use(void *unused) {
    int value = object->value;
    assert(value == 5);
    if (atomic_fetch_sub_explicit(&object->n_users, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(object);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    object = malloc(sizeof *object);
    atomic_init(&object->n_users, 2);
    object->value = 5;
    pthread_create(&one, NULL, use, NULL);
    pthread_create(&two, NULL, use, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
