//@ verdict: holds
// memcpy copies as many bytes as it is told (C11 7.24.2.1p2) and leaves the others alone.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char source[4], target[4];

void *write_it(void *unused) {
    source[3] = 1;
    target[3] = 2;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    memcpy(target, source, 3);
    pthread_join(one, NULL);
    assert(target[3] == 2);
    return 0;
}
