//@ verdict: holds
//@ verdict with --property valid-memsafety: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    int is_full, item;
};

void send(struct channel *c, int item) {
    pthread_mutex_lock(&c->lock);
    while (c->is_full)
        pthread_cond_wait(&c->emptied, &c->lock);
    c->item = item;
    c->is_full = 1;
    pthread_cond_signal(&c->filled);
    pthread_mutex_unlock(&c->lock);
}

int receive(struct channel *c) {
    pthread_mutex_lock(&c->lock);
    while (!c->is_full)
        pthread_cond_wait(&c->filled, &c->lock);
    int item = c->item;
    c->is_full = 0;
    pthread_cond_signal(&c->emptied);
    pthread_mutex_unlock(&c->lock);
    return item;
}

void *sender(void *channel) {
    send(channel, 1);
    send(channel, 2);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct channel *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->filled, NULL);
    pthread_cond_init(&c->emptied, NULL);
    c->is_full = 0;
    pthread_create(&t, NULL, sender, c);
    int first = receive(c), second = receive(c);
    assert(first == 1 && second == 2);
    pthread_join(t, NULL);
    pthread_cond_destroy(&c->filled);
    pthread_cond_destroy(&c->emptied);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
