//@ verdict: violated "not this one"
// The block is freed after the first section and before the second one, in which the other
// thread has made its own.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *fresh, count;

void *make(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    int *mine = malloc(sizeof *mine);
    pthread_mutex_lock(&lock);
    fresh = mine;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t other;
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&other, NULL, make, NULL);
    pthread_mutex_lock(&lock);
    int n = count;
    pthread_mutex_unlock(&lock);
    if (n == 0) {
        pthread_join(other, NULL);
        free(block);
    } else {
        free(block);
        pthread_mutex_lock(&lock);
        int is_first = fresh == NULL;
        pthread_mutex_unlock(&lock);
        pthread_join(other, NULL);
        if (is_first)
            assert((uintptr_t)fresh != old && "not this one");
    }
    free(fresh);
}
