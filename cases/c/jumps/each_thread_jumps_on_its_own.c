//@ verdict: holds
//@ verdict with -DOF_ANOTHER: violated "does not run any more"
//@ verdict with -DRACE: violated "data race"
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int failures;
jmp_buf of_main;

static void fail(jmp_buf place) {
    pthread_mutex_unlock(&lock);
    longjmp(place, 1);
}

void *work(void *unused) {
    jmp_buf place;
    if (setjmp(place) == 0) {
        pthread_mutex_lock(&lock);
        failures++;
        fail(place);
    }
#ifdef RACE
    failures++;
#endif
#ifdef OF_ANOTHER
    longjmp(of_main, 1);
#endif
    return NULL;
}

int main(void) {
    pthread_t one, other;
#ifdef OF_ANOTHER
    setjmp(of_main);
#endif
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifndef RACE
    assert(failures == 2);
#endif
}
