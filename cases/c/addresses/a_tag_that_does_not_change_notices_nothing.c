//@ verdict: violated "after it was freed"
// As with a tag, but one that never changes: the old top and a new one look alike.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
struct top {
    struct node *node;
    unsigned tag;
};
struct top top;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// An exchange of two words, as processors have it.
static int exchange(struct top old, struct top new) {
    pthread_mutex_lock(&lock);
    int is_equal = top.node == old.node && top.tag == old.tag;
    if (is_equal)
        top = new;
    pthread_mutex_unlock(&lock);
    return is_equal;
}

static struct top look(void) {
    pthread_mutex_lock(&lock);
    struct top now = top;
    pthread_mutex_unlock(&lock);
    return now;
}

static void push(int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    struct top old;
    do {
        old = look();
        fresh->next = old.node;
    } while (!exchange(old, (struct top){fresh, old.tag}));
}

void *pop_two_and_push_one(void *unused) {
    struct top old = look();
    struct node *one = old.node, *two = one->next;
    if (!exchange(old, (struct top){two->next, old.tag}))
        return NULL;
    free(one);
    free(two);
    push(4);
    return NULL;
}

int main(void) {
    pthread_t other;
    for (int i = 0; i < 3; i++)
        push(i);
    struct top old = look();
    struct node *next = old.node->next;
    pthread_create(&other, NULL, pop_two_and_push_one, NULL);
    int is_popped = exchange(old, (struct top){next, old.tag});
    pthread_join(other, NULL);
    return is_popped && top.node ? top.node->value : 0;
}
