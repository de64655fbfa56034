//@ verdict: holds
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *write_it(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, write_it, NULL);
    pthread_rwlock_rdlock(&lock);
    int first = x;
    int second = x;
    pthread_rwlock_unlock(&lock);
    assert(first == second);
    pthread_join(t, NULL);
}
