//@ verdict: holds
// For ever allocated and freed: states repeat, so the search ends.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *slot;

void *fill(void *unused) {
    for (;;) {
        int *fresh = malloc(sizeof *fresh);
        *fresh = 9;
        pthread_mutex_lock(&lock);
        free(slot);
        slot = fresh;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, fill, NULL);
    for (;;) {
        pthread_mutex_lock(&lock);
        if (slot)
            assert(*slot == 9);
        pthread_mutex_unlock(&lock);
    }
}
