//@ verdict: violated "data race"
// Assignment of a structure modifies all its members (C11 6.5.16.1p2), also the one that
// the other thread writes.
#include <pthread.h>
#include <stdlib.h>

struct object {
    char byte;
    int number;
};
struct object object, other = {1, 2};

void *write_byte(void *unused) {
    object.byte = 3;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_byte, NULL);
    object = other;
    pthread_join(one, NULL);
    return 0;
}
