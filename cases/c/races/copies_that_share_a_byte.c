//@ verdict: violated "data race"
//@ verdict with -DFROM=4: holds
#include <pthread.h>
#include <string.h>

#ifndef FROM
#define FROM 3
#endif

char buffer[8];

void *fill_low(void *unused) {
    memset(buffer, 1, 4);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, fill_low, NULL);
    memcpy(buffer + FROM, "wxyz", 4);
    pthread_join(t, NULL);
}
