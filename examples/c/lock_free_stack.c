//@ verdict: violated "allocated at line 47"
//@ verdict with --property valid-memsafety: violated "allocation of line 47"
// A stack without locks. `pop` looks at the node on top, and another thread may have
// popped and freed that node meanwhile.
//
//     threadproof check examples/c/lock_free_stack.c
//
// says that one thread frees the node while another looks into it, which is a race. The use
// of memory after it was freed is shown by
//
//     threadproof check examples/c/lock_free_stack.c --property valid-memsafety
//
// Compare-and-swap is not enough here; hazard pointers, epochs or a garbage collector keep
// a node alive while somebody looks at it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

_Atomic(struct node *) top;

void push(struct node *node) {
    node->next = top;
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

struct node *pop(void) {
    struct node *node = top;
    while (node && !atomic_compare_exchange_weak(&top, &node, node->next))
        ;
    return node;
}

void *take(void *unused) {
    free(pop());
    return NULL;
}

int main(void) {
    pthread_t a, b;
    push(malloc(sizeof(struct node)));
    push(malloc(sizeof(struct node)));
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
