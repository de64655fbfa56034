//@ verdict: violated "data race"
// Volatile accesses are side effects, but not atomic and order nothing between threads
// (C11 6.7.3p7, 5.1.2.4p25).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

volatile int is_ready;
int message;

void *tell(void *unused) {
    message = 1;
    is_ready = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    if (is_ready)
        assert(message == 1);
    pthread_join(one, NULL);
    return 0;
}
