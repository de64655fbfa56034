//@ verdict: holds
// Two members of an array in a union are two memory locations (C11 3.14p1).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

union {
    int number;
    char bytes[4];
} object;

void *write_byte(void *unused) {
    object.bytes[3] = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_byte, NULL);
    object.bytes[2] = 1;
    pthread_join(one, NULL);
    assert(object.number != 0);
    return 0;
}
