//@ verdict: violated "data race"
// Each field has its own lock, but both are one memory location (C11 3.14p1).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
struct {
    unsigned left : 4, right : 4;
} pair;

void *write_left(void *unused) {
    pthread_mutex_lock(&left);
    pair.left = 1;
    pthread_mutex_unlock(&left);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_left, NULL);
    pthread_mutex_lock(&right);
    pair.right = 2;
    pthread_mutex_unlock(&right);
    pthread_join(one, NULL);
    return 0;
}
