//@ verdict: holds
// As with a node that comes back, but nodes are freed once nobody looks at them any more.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
_Atomic(struct node *) top;

static void push(int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = top;
    while (!atomic_compare_exchange_strong(&top, &fresh->next, fresh))
        ;
}

static struct node *pop(void) {
    struct node *old = top;
    while (!atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    return old;
}

struct node *popped[2];

void *pop_two_and_push_one(void *unused) {
    popped[0] = pop();
    popped[1] = pop();
    push(4);
    return NULL;
}

int main(void) {
    pthread_t other;
    for (int i = 0; i < 3; i++)
        push(i);
    struct node *old = top, *next = old->next;
    pthread_create(&other, NULL, pop_two_and_push_one, NULL);
    int is_popped = atomic_compare_exchange_strong(&top, &old, next);
    pthread_join(other, NULL);
    int value = is_popped && top ? atomic_load(&top)->value : 0;
    free(popped[0]);
    free(popped[1]);
    return value;
}
