//@ args: --property unreach-call,no-data-race
//@ verdict: violated
//@ verdict with --reduction none: violated
//@ verdict with --reduction global: violated
//@ verdict with --reduction superstep: violated
// Both are asked: whichever is found first is an answer.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int g;

void *count(void *unused) {
    g++;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    assert(0);
}
