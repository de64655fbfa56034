//@ args: --property no-overflow
//@ verdict: violated
// Doubling comes before or after the subtraction; one of the two orders leaves the range
// (C11 6.5p5).
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n = INT_MAX / 2 + 1;

void *double_it(void *unused) {
    pthread_mutex_lock(&lock);
    n *= 2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *take_one(void *unused) {
    pthread_mutex_lock(&lock);
    n -= 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, double_it, NULL);
    pthread_create(&two, NULL, take_one, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
