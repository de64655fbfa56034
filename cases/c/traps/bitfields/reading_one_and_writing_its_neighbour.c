//@ verdict: violated "data race"
// The read accesses the memory location that the write modifies (C11 3.14p1 and
// 5.1.2.4p4).
#include <pthread.h>
#include <stdlib.h>

struct {
    unsigned is_done : 1, count : 7;
} status;

void *count(void *unused) {
    status.count = 3;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, count, NULL);
    int is_done = status.is_done;
    pthread_join(one, NULL);
    return is_done;
}
