//@ verdict: holds
//@ verdict with -DTHREADS=3: holds
//@ verdict with -DEAGER: violated "allocated at line 90"
//@ verdict with -DEAGER --property valid-memsafety: violated "freed"
//@ verdict with -DHASTY: violated "value > 0"
// The queue of Michael and Scott: no locks, two pointers, and whoever finds the tail behind
// helps it on. Each thread puts in its number and takes one out.
//
//     threadproof check examples/c/ms_queue.c
//     threadproof check examples/c/ms_queue.c -DTHREADS=3
//
// proves that nothing is lost, nothing comes out twice, and no memory is misused, for two
// threads and for three. The loops may go round any number of times: states are remembered,
// so that ends all the same. Two mistakes to look at:
//
//     threadproof check examples/c/ms_queue.c -DEAGER
//     threadproof check examples/c/ms_queue.c -DHASTY
//
// The first frees a node as soon as it is out of the queue, while another thread may still
// look into it. The second looks whether it is at the end and then writes, in two steps, so
// that one of two nodes gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

_Atomic(struct node *) head, tail;

/* Appends `node` to `last` unless there is another one behind it. */
static int append(struct node *last, struct node *node) {
#ifdef HASTY
    if (last->next != NULL)
        return 0;
    last->next = node;
    return 1;
#else
    struct node *none = NULL;
    return atomic_compare_exchange_strong(&last->next, &none, node);
#endif
}

static void enqueue(struct node *node) {
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (append(last, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

/* Takes out a value and the node that is not needed any more. */
static int dequeue(struct node **unneeded) {
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (first != head)
            continue;
        if (next == NULL)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next)) {
            *unneeded = first;
            return value;
        }
    }
}

struct {
    int value;
    struct node *unneeded;
} taken[THREADS];

static struct node *new_node(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

void *enqueue_and_dequeue(void *argument) {
    int me = (int)(long)argument;
    enqueue(new_node(me + 1));
    taken[me].value = dequeue(&taken[me].unneeded);
#ifdef EAGER
    free(taken[me].unneeded);
    taken[me].unneeded = NULL;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    struct node *first = new_node(0);
    atomic_init(&head, first);
    atomic_init(&tail, first);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, enqueue_and_dequeue, (void *)i);
    int sum = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        /* Whoever takes has put in before: there is something for everybody. */
        int value = taken[i].value;
        assert(value > 0);
        sum += value;
    }
    assert(sum == THREADS * (THREADS + 1) / 2);
    for (int i = 0; i < THREADS; i++)
        free(taken[i].unneeded);
    free(head);
}
