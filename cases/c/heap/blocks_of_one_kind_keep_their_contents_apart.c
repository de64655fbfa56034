//@ verdict: violated "a->number < b->number"
// Names of blocks do not matter, but what is in them does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { int number; };
_Atomic(struct box *) boxes[2];
atomic_int next;

void *make(void *argument) {
    struct box *box = malloc(sizeof *box);
    box->number = (int)(long)argument;
    boxes[atomic_fetch_add(&next, 1)] = box;
    return NULL;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, make, (void *)1L);
    pthread_create(&t, NULL, make, (void *)2L);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    struct box *a = boxes[0], *b = boxes[1];
    assert(a->number < b->number);
}
