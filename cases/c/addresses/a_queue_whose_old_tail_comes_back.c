//@ verdict: violated "after it was freed"
// A producer looks at the tail of a queue and hangs its node behind it only if the tail is
// still the same. The tail is taken out and freed, and another node gets its address.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
struct node *head, *tail;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *replace(void *unused) {
    pthread_mutex_lock(&lock);
    free(head);
    head = tail = calloc(1, sizeof *head);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t other;
    head = tail = calloc(1, sizeof *head);
    struct node *seen = tail;
    pthread_create(&other, NULL, replace, NULL);
    struct node *fresh = calloc(1, sizeof *fresh);
    pthread_mutex_lock(&lock);
    if (tail == seen) {
        seen->next = fresh;
        tail = fresh;
    }
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
