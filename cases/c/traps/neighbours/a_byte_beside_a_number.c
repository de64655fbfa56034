//@ verdict: holds
// Members of a structure are separate memory locations (C11 3.14p1), and the padding
// belongs to none.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct {
    char byte;
    int number;
    short pair;
} object;

void *write_byte(void *unused) {
    object.byte = 1;
    object.pair = 3;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_byte, NULL);
    object.number = 2;
    pthread_join(one, NULL);
    assert(object.byte == 1 && object.number == 2 && object.pair == 3);
    return 0;
}
