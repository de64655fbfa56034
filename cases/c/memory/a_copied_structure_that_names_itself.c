//@ verdict: holds
// The structure that is copied holds its own address: it becomes shared by being copied,
// and is copied from where it is then.
#include <assert.h>
#include <pthread.h>

struct ring {
    struct ring *next;
    int number;
    long padding[8];
};

struct ring sent;

void *receive(void *unused) {
    assert(sent.number == 42 && sent.next->number == 42 && sent.next->next == sent.next);
    sent.next->number = 43;
    return NULL;
}

int main(void) {
    pthread_t a;
    struct ring ring = {&ring, 42, {0}};
    sent = ring;
    pthread_create(&a, NULL, receive, NULL);
    pthread_join(a, NULL);
    assert(ring.number == 43);
}
