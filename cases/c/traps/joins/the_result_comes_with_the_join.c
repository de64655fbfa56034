//@ verdict: holds
// The value passed to pthread_exit, from however deep, is what the join stores (POSIX,
// pthread_join).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int answer;

static void finish(void) {
    answer = 5;
    pthread_exit(&answer);
}

void *work(void *unused) {
    finish();
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t one;
    void *result;
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, &result);
    assert(result == &answer && answer == 5);
    return 0;
}
