//@ verdict: violated "data race"
// memcmp compares the first n characters of both objects (C11 7.24.4.1p2): all of them
// may be read, wherever the first difference is.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char left[2] = {1, 1}, right[2] = {2, 2};

void *write_it(void *unused) {
    left[1] = 3;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    int order = memcmp(left, right, 2);
    pthread_join(one, NULL);
    return order == 0;
}
