//@ verdict: violated "after it was freed"
// ABA: between the look at the top and the exchange, the top and its successor are popped and
// freed, and a new node with the address of the old top is pushed. The exchange succeeds,
// and the freed successor is the top.
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

void *pop_two_and_push_one(void *unused) {
    struct node *one = pop(), *two = pop();
    free(one);
    free(two);
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
    if (is_popped)
        return top ? atomic_load(&top)->value : 0;
    return 0;
}
