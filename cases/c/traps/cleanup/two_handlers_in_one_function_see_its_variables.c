//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* The handlers run while the variables of the function that pushed them still live. */
int sum;

static void add(void *number) { sum += *(int *)number; }

static void *work(void *arg) {
    int local = 1;
    int *block = malloc(sizeof *block);
    *block = 10;
    pthread_cleanup_push(free, block);
    pthread_cleanup_push(add, &local);
    local = 2;
    pthread_cleanup_push(add, block);
    if (arg == NULL)
        pthread_exit(&sum);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return &sum;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(*(int *)result == 12);
    pthread_create(&thread, NULL, work, &sum);
    pthread_join(thread, &result);
    assert(sum == 24);
    return 0;
}
