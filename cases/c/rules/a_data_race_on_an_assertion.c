//@ verdict: violated "data race"
//@ rule: data-race
#include <pthread.h>

int assertion_mutex;

void *deadlock(void *unused) {
    assertion_mutex++;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, deadlock, NULL);
    pthread_create(&other, NULL, deadlock, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
