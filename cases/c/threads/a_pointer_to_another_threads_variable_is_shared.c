//@ verdict: violated "data race"
#include <pthread.h>
#include <stddef.h>

__thread int mine;

void *add(void *other) {
    (*(int *)other)++;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, add, &mine);
    mine++;
    pthread_join(t, NULL);
}
