//@ verdict with -DTHREADS=2: holds
// The queue of Michael and Scott: no locks, two pointers, and whoever finds the tail behind
// helps it on. Each of the THREADS threads puts in a number and takes one out. Nothing is
// lost and nothing comes out twice. Nodes are never used again, as with a garbage collector.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct node nodes[THREADS + 1];
_Atomic(struct node *) head, tail;
int taken[THREADS + 1];

static void enqueue(struct node *node, int value) {
    node->value = value;
    for (;;) {
        struct node *last = tail;
        struct node *next = last->next;
        if (last != tail)
            continue;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

/* Zero where the queue is empty. */
static int dequeue(void) {
    for (;;) {
        struct node *first = head;
        struct node *last = tail;
        struct node *next = first->next;
        if (first != head)
            continue;
        if (first == last) {
            if (next == NULL)
                return 0;
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

void *enqueue_and_dequeue(void *argument) {
    int me = (int)(long)argument;
    enqueue(&nodes[me], me);
    taken[me] = dequeue();
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS + 1];
    atomic_init(&head, &nodes[0]);
    atomic_init(&tail, &nodes[0]);
    for (long i = 1; i <= THREADS; i++)
        pthread_create(&threads[i], NULL, enqueue_and_dequeue, (void *)i);
    int seen[THREADS + 1] = {0};
    for (int i = 1; i <= THREADS; i++) {
        pthread_join(threads[i], NULL);
        /* Whoever takes has put in before: there is something for everybody. */
        assert(taken[i] > 0 && !seen[taken[i]]);
        seen[taken[i]] = 1;
    }
}
