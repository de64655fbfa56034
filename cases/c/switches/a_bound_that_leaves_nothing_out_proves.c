//@ verdict with --switches 0: holds
//@ verdict with --switches ..3: holds
//@ note: all were explored
// Threads that are joined before the next one is created are never left by force.
#include <pthread.h>

int count;

void *add(void *unused) {
    count++;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 3; i++)
        add(NULL);
    return count - 3;
}
