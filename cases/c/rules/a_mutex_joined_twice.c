//@ verdict: violated "joined twice"
//@ rule: thread-misuse
#include <pthread.h>

void *overflow_mutex(void *out_of_bounds) { return out_of_bounds; }

int main(void) {
    pthread_t mutex;
    pthread_create(&mutex, NULL, overflow_mutex, NULL);
    pthread_join(mutex, NULL);
    pthread_join(mutex, NULL);
}
