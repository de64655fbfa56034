//@ verdict: violated "data race on `x`"
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int is_claimed, x;

void *claim(void *unused) {
    pthread_mutex_lock(&lock);
    is_claimed = 1;
    pthread_mutex_unlock(&lock);
    x = 1;
    return NULL;
}

void *look(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = is_claimed;
    pthread_mutex_unlock(&lock);
    if (!seen)
        x = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, claim, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
