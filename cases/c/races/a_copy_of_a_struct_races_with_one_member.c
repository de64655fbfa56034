//@ verdict: violated "data race"
#include <pthread.h>
#include <stddef.h>

struct pair { long first, second[3]; } shared;

void *set(void *unused) {
    shared.second[2] = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    struct pair copy;
    pthread_create(&t, NULL, set, NULL);
    copy = shared;
    pthread_join(t, NULL);
    return (int)copy.first;
}
