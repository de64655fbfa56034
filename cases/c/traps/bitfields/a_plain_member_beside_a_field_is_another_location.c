//@ verdict: holds
// A bit-field and a member that is none are two memory locations (C11 3.14p3); the store
// to the field must not touch its neighbour.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct {
    unsigned field : 24;
    unsigned char plain;
} pair;

void *write_field(void *unused) {
    pair.field = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_field, NULL);
    pair.plain = 1;
    pthread_join(one, NULL);
    assert(pair.field == 1 && pair.plain == 1);
    return 0;
}
