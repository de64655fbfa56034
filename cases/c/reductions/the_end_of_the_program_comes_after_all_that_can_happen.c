//@ args: --property unreach-call
//@ verdict: violated "early"
//@ verdict with --reduction global: violated "early"
//@ verdict with --reduction none: violated "early"
// A thread reads what `main` writes, just before `main` ends the program. If the end is taken
// for a step that concerns nobody else, it comes first and nobody reads. (The other thread
// looks for ever: else the reader would go alone, as nobody else touches what it reads.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int written;

void *look(void *unused) {
    int early = written == 0;
    assert(early);
    return NULL;
}

void *watch(void *unused) {
    while (written < 2) {
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, watch, NULL);
    pthread_create(&b, NULL, look, NULL);
    written = 1;
    return 0;
}
