//@ verdict: holds
#include <assert.h>
#include <pthread.h>

_Thread_local int mine = 3;

void *add(void *unused) {
    assert(mine == 3);
    mine++;
    assert(mine == 4);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(mine == 4);
}
