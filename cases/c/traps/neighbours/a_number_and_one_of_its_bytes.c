//@ verdict: violated "data race"
// An access through a character type reads part of the same object (C11 6.5p7,
// 6.2.6.1p4).
#include <pthread.h>
#include <stdlib.h>

int number;

void *write_number(void *unused) {
    number = 5;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_number, NULL);
    char byte = ((char *)&number)[2];
    pthread_join(one, NULL);
    return byte;
}
