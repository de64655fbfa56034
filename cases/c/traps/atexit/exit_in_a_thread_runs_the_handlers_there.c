//@ verdict: holds
// The thread that calls `exit` runs the handlers (C11 7.22.4.4p3), so it sees its own
// variables.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Thread_local int mine;

void last(void) {
    assert(mine == 1);
}

void *leave(void *unused) {
    mine = 1;
    exit(0);
}

int main(void) {
    pthread_t one;
    mine = 1;
    atexit(last);
    pthread_create(&one, NULL, leave, NULL);
    pthread_join(one, NULL);
    return 0;
}
