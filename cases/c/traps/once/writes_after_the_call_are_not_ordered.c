//@ verdict: violated "data race"
// Only the routine happens before the returns; what callers do afterwards is not ordered.
#include <pthread.h>
#include <stdlib.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int n;

void initialise(void) {
    n = 0;
}

void *work(void *unused) {
    pthread_once(&once, initialise);
    n++;
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
