//@ verdict: violated "data race"
// The head was complete before the fence, but its successor was not (C11 7.17.4p3).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
_Atomic(struct node *) head;

void *publish(void *unused) {
    struct node *list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->value = 1;
    atomic_thread_fence(memory_order_release);
    list->next->value = 2;
    atomic_store_explicit(&head, list, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    struct node *seen = atomic_load_explicit(&head, memory_order_acquire);
    if (seen)
        assert(seen->next->value == 2);
    pthread_join(one, NULL);
    free(head->next);
    free(head);
    return 0;
}
