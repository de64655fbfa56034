//@ verdict: holds
// Each signal wakes one that waits; a third thread that comes later finds the door open.
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int n_tickets;

void *pass(void *unused) {
    pthread_mutex_lock(&lock);
    while (n_tickets == 0)
        pthread_cond_wait(&changed, &lock);
    n_tickets--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pass, NULL);
    pthread_create(&b, NULL, pass, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        n_tickets++;
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&changed);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
