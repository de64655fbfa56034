//@ verdict: holds
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int is_claimed, x;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int is_mine = !is_claimed;
    is_claimed = 1;
    pthread_mutex_unlock(&lock);
    if (is_mine)
        x++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
