//@ verdict: violated "data race"
// The classic mistake: all threads look at the same `i`, which main changes.
#include <pthread.h>

void *work(void *argument) {
    int me = *(int *)argument;
    return (void *)(long)me;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], NULL);
}
