//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: readers are counted without a bound.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 10000
#endif

int n_readers, book;
pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
extern _Bool __VERIFIER_nondet_bool(void);

void *read(void *unused) {
    pthread_mutex_lock(&count);
    if (n_readers++ == 0)
        sem_wait(&room);
    pthread_mutex_unlock(&count);
    int first = book;
    assert(first == book);
    pthread_mutex_lock(&count);
    if (--n_readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&count);
    return 0;
}

void *write(void *unused) {
    sem_wait(&room);
    book = !book;
    sem_post(&room);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&room, 0, 1);
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, __VERIFIER_nondet_bool() ? read : write, 0);
}
