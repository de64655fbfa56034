//@ verdict: holds
// The owner may take it again; others wait until it was given back as often.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;
int inside;

void *enter(void *unused) {
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0);
    inside++;
    pthread_mutex_unlock(&lock);
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
