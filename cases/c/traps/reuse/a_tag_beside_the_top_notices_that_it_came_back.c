//@ args: --property unreach-call
//@ verdict: holds
// Index and tag are compared together (C11 7.17.7.4p2), and every change counts the tag
// up, so an old top is never taken for a new one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_uint next, n_owners;
};
struct node nodes[3];
atomic_uint top;

static unsigned pop(void) {
    unsigned old = top;
    while (old % 4 &&
           !atomic_compare_exchange_strong(&top, &old, old / 4 * 4 + 4 + nodes[old % 4].next))
        ;
    if (old % 4)
        assert(++nodes[old % 4].n_owners == 1);
    return old % 4;
}

static void push(unsigned index) {
    unsigned old = top;
    nodes[index].n_owners = 0;
    do
        nodes[index].next = old % 4;
    while (!atomic_compare_exchange_strong(&top, &old, old / 4 * 4 + 4 + index));
}

void *take_one(void *unused) {
    pop();
    return NULL;
}

void *take_two_and_give_one_back(void *unused) {
    unsigned first = pop();
    pop();
    if (first)
        push(first);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    nodes[1].next = 2;
    top = 1;
    pthread_create(&one, NULL, take_one, NULL);
    pthread_create(&two, NULL, take_two_and_give_one_back, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pop();
    return 0;
}
