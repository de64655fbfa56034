//@ verdict: violated "deadlock"
// The thread may deadlock if it holds the lock when it calls (POSIX,
// pthread_rwlock_wrlock).
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    return 0;
}
