//@ verdict: violated "data race"
// A return from `main` calls `exit` (C11 5.1.2.2.3p1), and other threads run while the
// handlers do.
#include <pthread.h>
#include <stdlib.h>

int n;

void last(void) {
    n++;
}

void *work(void *unused) {
    n++;
    return NULL;
}

int main(void) {
    pthread_t one;
    atexit(last);
    pthread_create(&one, NULL, work, NULL);
    return 0;
}
