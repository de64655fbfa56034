//@ verdict: violated "data race"
// The shortcut reads the flag without synchronisation while the routine may write it (C11
// 5.1.2.4p25).
#include <pthread.h>
#include <stdlib.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int is_ready;

void initialise(void) {
    is_ready = 1;
}

void *work(void *unused) {
    if (!is_ready)
        pthread_once(&once, initialise);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
