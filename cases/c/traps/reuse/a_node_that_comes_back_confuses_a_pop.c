//@ args: --property unreach-call
//@ verdict: violated "n_owners"
// Compare-exchange compares values (C11 7.17.7.4p2): the top is the same node again, but
// its successor is gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int n_owners;
};
struct node nodes[2];
_Atomic(struct node *) top;

static struct node *pop(void) {
    struct node *old = top;
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    if (old)
        assert(++old->n_owners == 1);
    return old;
}

void *take_one(void *unused) {
    pop();
    return NULL;
}

void *take_two_and_give_one_back(void *unused) {
    struct node *first = pop();
    pop();
    if (first) {
        first->n_owners--;
        first->next = top;
        atomic_store(&top, first);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    nodes[0].next = &nodes[1];
    top = &nodes[0];
    pthread_create(&one, NULL, take_one, NULL);
    pthread_create(&two, NULL, take_two_and_give_one_back, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pop();
    return 0;
}
