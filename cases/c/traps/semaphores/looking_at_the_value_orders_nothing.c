//@ verdict: violated "data race"
// The value of sem_getvalue is not necessarily the actual one when the call returns, and
// the call is not in the list of functions that synchronise memory (POSIX, sem_getvalue;
// XBD 4.12).
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t ready;
int message;

void *tell(void *unused) {
    message = 1;
    sem_post(&ready);
    return NULL;
}

int main(void) {
    pthread_t one;
    int value;
    sem_init(&ready, 0, 0);
    pthread_create(&one, NULL, tell, NULL);
    sem_getvalue(&ready, &value);
    if (value == 1)
        assert(message == 1);
    pthread_join(one, NULL);
    return 0;
}
