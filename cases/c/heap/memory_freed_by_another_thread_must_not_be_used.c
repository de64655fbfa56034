//@ verdict: violated "allocation of line 19"
//@ verdict with --property valid-memsafety: violated "allocation of line 19"
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *number;

void *drop(void *unused) {
    pthread_mutex_lock(&lock);
    free(number);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;

    number = malloc(sizeof *number);
    pthread_create(&t, NULL, drop, NULL);
    pthread_mutex_lock(&lock);
    *number = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
