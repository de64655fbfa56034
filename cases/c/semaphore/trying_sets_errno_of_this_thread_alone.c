//@ verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t token;

void *try(void *unused) {
    errno = 0;
    if (sem_trywait(&token) == 0)
        assert(errno == 0);
    else
        assert(errno == EAGAIN);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int value;
    sem_init(&token, 0, 1);
    pthread_create(&a, NULL, try, NULL);
    pthread_create(&b, NULL, try, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_getvalue(&token, &value);
    assert(value == 0);
}
