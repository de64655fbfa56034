//@ args: --threads any
//@ verdict: holds
// May be unknown: the list has no bound.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
} *first;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    struct node *mine = malloc(sizeof *mine);
    mine->value = 7;
    pthread_mutex_lock(&lock);
    mine->next = first;
    first = mine;
    assert(first->value == 7);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
