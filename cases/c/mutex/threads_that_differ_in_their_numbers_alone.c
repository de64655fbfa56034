//@ verdict: violated "!is_second_first"
// They run the same code, but the order in which they were created can be told.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n_order, order[2];

void *enter(void *argument) {
    pthread_mutex_lock(&lock);
    order[n_order++] = (int)(long)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int is_second_first = order[0] == 1;
    assert(!is_second_first);
}
