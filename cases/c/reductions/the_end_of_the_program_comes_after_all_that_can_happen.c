//@ args: --property unreach-call
//@ verdict: violated "early"
//@ verdict with --reduction global: violated "early"
//@ verdict with --reduction none: violated "early"
// The thread reads what `main` writes, just before `main` ends the program. If the end is
// taken for a step that concerns nobody else, it comes first and nobody reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int written;

void *look(void *unused) {
    int early = written == 0;
    assert(early);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, look, NULL);
    written = 1;
    return 0;
}
