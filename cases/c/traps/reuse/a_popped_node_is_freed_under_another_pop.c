//@ args: --property valid-memsafety
//@ verdict: violated "free"
// Both poppers may hold the same top; one frees it while the other still reads its
// successor (C11 6.2.4p2).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
_Atomic(struct node *) top;

void *pop(void *unused) {
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    free(old);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    for (int i = 0; i < 2; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = top;
        top = fresh;
    }
    pthread_create(&one, NULL, pop, NULL);
    pthread_create(&two, NULL, pop, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
