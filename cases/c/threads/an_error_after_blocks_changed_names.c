//@ verdict with --property unreach-call: violated "assertion"
//@ verdict with --property unreach-call --reduction superstep: violated "assertion"
//@ verdict with --property unreach-call --reduction global: violated "assertion"
//@ verdict with --property unreach-call -DSIZE=2: holds
// Threads that look alike hold different blocks, and blocks that are freed give their names
// to new ones: the run to the error is told all the same.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 3
#endif

bool __VERIFIER_nondet_bool(void);

int sum, done, seen;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    int *mine = argument;
    bool choice = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&lock);
    sum = sum * 4 + *mine;
    free(mine);
    done++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    seen += choice;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    for (int i = 0; i < SIZE; i++) {
        pthread_t id;
        int *block = malloc(sizeof *block);
        *block = i;
        pthread_create(&id, NULL, work, block);
        pthread_detach(id);
    }
    pthread_mutex_lock(&lock);
    assert(!(done == SIZE - 1 && sum == 9 && seen == 2));
    pthread_mutex_unlock(&lock);
}
