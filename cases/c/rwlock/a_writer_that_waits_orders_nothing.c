//@ verdict with --property no-data-race: violated "race"
//@ verdict with --property no-data-race --rwlock readers: violated "race"
//@ verdict with --property no-data-race --reduction global: violated "race"
// A writer that waits has written before; whoever reads because it waits, or though it
// waits, is not ordered after that.
#include <pthread.h>
#include <stddef.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *write(void *unused) {
    x = 1;
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t id;
    int seen = 0;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&id, NULL, write, NULL);
    if (pthread_rwlock_tryrdlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    else
        seen = x;
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        seen += x;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    pthread_join(id, NULL);
    return seen == 7;
}
