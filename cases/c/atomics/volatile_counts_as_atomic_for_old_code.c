//@ args: --volatile atomic
//@ verdict: holds
//@ note: `volatile` accesses count as atomic ones
//@ verdict with -DPLAIN: violated "data race on `plain`"
//@ verdict with -DLOST: violated "assertion"
// Such an increment is still two accesses.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

volatile int flag, count;
int message, plain;

void *send(void *unused) {
    message = 42;
    flag = 1;
    count++;
#ifdef PLAIN
    plain = 1;
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    while (!flag) {}
    assert(message == 42);
#ifdef PLAIN
    plain = 2;
#endif
#ifdef LOST
    count++;
    pthread_join(thread, NULL);
    assert(count == 2);
#endif
}
