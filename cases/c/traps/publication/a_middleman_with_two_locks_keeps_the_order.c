//@ verdict: holds
// Each unlock synchronises with the next lock of the same mutex, and happens-before is
// transitive (C11 5.1.2.4p18), though publisher and reader share no lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
int *inbox, *outbox;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    pthread_mutex_lock(&left);
    inbox = fresh;
    pthread_mutex_unlock(&left);
    return NULL;
}

void *pass_on(void *unused) {
    pthread_mutex_lock(&left);
    int *seen = inbox;
    pthread_mutex_unlock(&left);
    pthread_mutex_lock(&right);
    outbox = seen;
    pthread_mutex_unlock(&right);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, publish, NULL);
    pthread_create(&two, NULL, pass_on, NULL);
    pthread_mutex_lock(&right);
    if (outbox)
        assert(*outbox == 5);
    pthread_mutex_unlock(&right);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(inbox);
    return 0;
}
