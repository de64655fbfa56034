//@ verdict: violated
//@ verdict with --property unreach-call: violated
#include <assert.h>
#include <pthread.h>

/* Nobody joins the thread, so it runs while main looks at what it writes, and the last
   thing that main does is to end the program. */
int x, y;

static void *write_both(void *arg) {
    x = 1;
    y = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_both, NULL);
    assert(!(x == 1 && y == 0));
    return 0;
}
