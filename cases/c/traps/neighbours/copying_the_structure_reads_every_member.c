//@ verdict: violated "data race"
// The value of the structure includes the member that another thread writes (C11
// 6.5.16.1p2), though the copy does not use it.
#include <pthread.h>
#include <stdlib.h>

struct object {
    char byte;
    int number;
};
struct object object;

void *write_byte(void *unused) {
    object.byte = 3;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_byte, NULL);
    struct object copy = object;
    pthread_join(one, NULL);
    return copy.number;
}
