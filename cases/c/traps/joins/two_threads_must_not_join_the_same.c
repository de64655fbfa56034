//@ verdict: violated
// The results of multiple simultaneous calls for one target are undefined (POSIX,
// pthread_join).
#include <pthread.h>
#include <stdlib.h>

pthread_t target;

void *work(void *unused) {
    return NULL;
}

void *join_it(void *unused) {
    pthread_join(target, NULL);
    return NULL;
}

int main(void) {
    pthread_create(&target, NULL, work, NULL);
    pthread_t one, two;
    pthread_create(&one, NULL, join_it, NULL);
    pthread_create(&two, NULL, join_it, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
