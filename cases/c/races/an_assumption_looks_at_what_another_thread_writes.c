//@ verdict: violated
//@ verdict with --property unreach-call: violated
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

/* The assumption is false until the first write; what it reads races all the same, and
   the two writes can be told apart. */
int x, y;

static void *write_both(void *arg) {
    x = 1;
    y = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_both, NULL);
    __VERIFIER_assume(x == 1);
    assert(y == 1);
    pthread_join(thread, NULL);
    return 0;
}
