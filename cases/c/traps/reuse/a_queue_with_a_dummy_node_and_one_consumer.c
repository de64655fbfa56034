//@ args: --property all
//@ verdict: holds presuming sequential-consistency
// The producer alone writes the tail and the consumer alone frees; the release of a
// successor orders its content (C11 5.1.2.4p18).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};
struct node *head, *tail;

static struct node *new_node(int value) {
    struct node *fresh = malloc(sizeof *fresh);
    atomic_init(&fresh->next, NULL);
    fresh->value = value;
    return fresh;
}

void *produce(void *unused) {
    for (int i = 1; i <= 2; i++) {
        struct node *fresh = new_node(i);
        atomic_store_explicit(&tail->next, fresh, memory_order_release);
        tail = fresh;
    }
    return NULL;
}

int main(void) {
    pthread_t one;
    head = tail = new_node(0);
    pthread_create(&one, NULL, produce, NULL);
    for (int i = 1; i <= 2; i++) {
        struct node *next;
        while (!(next = atomic_load_explicit(&head->next, memory_order_acquire)))
            ;
        assert(next->value == i);
        free(head);
        head = next;
    }
    pthread_join(one, NULL);
    free(head);
    return 0;
}
