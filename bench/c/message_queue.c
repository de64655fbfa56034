//@ verdict: holds
//@ verdict with -DM=4: holds
//@ verdict with -DHASTY: violated "assert"
// A queue of messages with priorities between a producer and a consumer: it has room for M
// messages, and 2 * M are sent. The urgent ones overtake; among equals the order is kept.
// Waiting is done with two condition variables. With -DHASTY the consumer does not look
// again whether there is a message when it is woken up.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef M
#define M 2
#endif
#define N_PRIORITIES 3

struct message {
    int priority, number;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    /* The next one to be received is the last one. */
    struct message messages[M];
    int n_messages;
};

struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void insert(struct queue *queue, struct message message) {
    int at = queue->n_messages++;
    while (at > 0 && queue->messages[at - 1].priority >= message.priority) {
        queue->messages[at] = queue->messages[at - 1];
        at--;
    }
    queue->messages[at] = message;
}

static void transmit(struct queue *queue, struct message message) {
    pthread_mutex_lock(&queue->lock);
    while (queue->n_messages == M)
        pthread_cond_wait(&queue->not_full, &queue->lock);
    insert(queue, message);
    pthread_cond_signal(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

static struct message receive(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
#ifdef HASTY
    if (queue->n_messages == 0)
#else
    while (queue->n_messages == 0)
#endif
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    assert(queue->n_messages > 0);
    struct message *last = &queue->messages[--queue->n_messages], message = *last;
    last->priority = last->number = 0;
    pthread_cond_signal(&queue->not_full);
    pthread_mutex_unlock(&queue->lock);
    return message;
}

void *producer(void *unused) {
    for (int i = 0; i < 2 * M; i++) {
        struct message message = {i % N_PRIORITIES, i};
        transmit(&queue, message);
    }
    return NULL;
}

void *consumer(void *unused) {
    int last[N_PRIORITIES] = {-1, -1, -1};
    for (int i = 0; i < 2 * M; i++) {
        struct message message = receive(&queue);
        assert(message.priority == message.number % N_PRIORITIES);
        assert(message.number > last[message.priority]);
        last[message.priority] = message.number;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(queue.n_messages == 0);
}
