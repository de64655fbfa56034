//@ args: --property all
//@ verdict: holds
// The taker swaps the whole list out and never compares (C11 7.17.7.3), so addresses that
// come again do no harm.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
_Atomic(struct node *) top;

static void push(void) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &fresh->next, fresh))
        ;
}

static void free_all(void) {
    struct node *list = atomic_exchange(&top, NULL);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

void *work(void *unused) {
    push();
    free_all();
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    push();
    free_all();
    pthread_join(one, NULL);
    free_all();
    return 0;
}
