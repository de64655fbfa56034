//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int before, after;

void *work(void *unused) {
    assert(before == 1);
    after = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    before = 1;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(after == 2);
    after = 3;
}
