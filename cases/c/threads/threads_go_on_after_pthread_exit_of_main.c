//@ verdict: violated "reached"
#include <assert.h>
#include <pthread.h>

void *work(void *unused) {
    assert(!"reached");
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    pthread_exit(NULL);
}
