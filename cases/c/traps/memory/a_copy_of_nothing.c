//@ args: --property all
//@ verdict: holds
// With a length of zero nothing is read or written (C11 7.24.1p2), though another thread
// writes there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char source[2], target[2];

void *write_it(void *unused) {
    source[0] = 1;
    target[0] = 2;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    memcpy(target, source, 0);
    memset(target, 5, 0);
    pthread_join(one, NULL);
    assert(target[0] == 2);
    return 0;
}
