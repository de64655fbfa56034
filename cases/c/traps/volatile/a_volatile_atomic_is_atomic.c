//@ verdict: holds
// An object may be both (C11 7.17.6, all operations take pointers to volatile); being
// atomic is what counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

volatile atomic_int is_ready;
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
