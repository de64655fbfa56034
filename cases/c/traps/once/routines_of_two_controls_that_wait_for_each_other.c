//@ verdict: violated "deadlock"
// Each thread runs one routine and waits for the completion of the other (POSIX,
// pthread_once).
#include <pthread.h>
#include <stdlib.h>

pthread_once_t left = PTHREAD_ONCE_INIT, right = PTHREAD_ONCE_INIT;

void nothing(void) {
}

void start_left(void) {
    pthread_once(&right, nothing);
}

void start_right(void) {
    pthread_once(&left, nothing);
}

void *work(void *unused) {
    pthread_once(&left, start_left);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    pthread_once(&right, start_right);
    pthread_join(one, NULL);
    return 0;
}
