//@ verdict with --property termination --no-spurious: violated
//@ verdict with --property termination --rwlock readers: violated
//@ verdict with --property termination --rwlock writers -DONE: holds
// Two readers that take turns may keep the writer out for ever where readers go first.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int stop;

void *read(void *unused) {
    int seen = 0;
    while (!seen) {
        pthread_rwlock_rdlock(&lock);
        seen = stop;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t ids[2];
    pthread_create(&ids[0], NULL, read, NULL);
#ifndef ONE
    pthread_create(&ids[1], NULL, read, NULL);
#endif
    pthread_rwlock_wrlock(&lock);
    stop = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(ids[0], NULL);
#ifndef ONE
    pthread_join(ids[1], NULL);
#endif
}
