//@ verdict: violated "reached"
#include <assert.h>
#include <pthread.h>

void *spin(void *unused) {
    volatile int mine = 0;
    for (;;)
        mine = !mine;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, spin, NULL);
    assert(!"reached");
}
