//@ args: --property valid-memsafety
//@ verdict: violated "free"
// Once the successor is released, the consumer may free the old node (C11 6.2.4p2), and
// the producer must not read it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
};
struct node *head, *tail;

void *produce(void *unused) {
    struct node *fresh = calloc(1, sizeof *fresh);
    atomic_store_explicit(&tail->next, fresh, memory_order_release);
    tail = tail->next;
    return NULL;
}

int main(void) {
    pthread_t one;
    head = tail = calloc(1, sizeof *head);
    pthread_create(&one, NULL, produce, NULL);
    struct node *next;
    while (!(next = atomic_load_explicit(&head->next, memory_order_acquire)))
        ;
    free(head);
    head = next;
    pthread_join(one, NULL);
    free(head);
    return 0;
}
