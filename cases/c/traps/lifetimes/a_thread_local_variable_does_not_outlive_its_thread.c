//@ verdict: violated
// Its lifetime is the entire execution of the thread for which it is created (C11
// 6.2.4p4).
#include <pthread.h>
#include <stdlib.h>

_Thread_local int value;
int *kept;

void *work(void *unused) {
    value = 5;
    kept = &value;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return *kept;
}
