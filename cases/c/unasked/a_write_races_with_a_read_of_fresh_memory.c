//@ args: --property no-data-race
//@ verdict: violated "data race"
//@ verdict with --reduction none: violated "data race"
#include <pthread.h>
#include <stdlib.h>

int *block, seen;

void *look(void *unused) {
    seen = *block;
    return NULL;
}

int main(void) {
    pthread_t thread;
    block = malloc(sizeof(int));
    pthread_create(&thread, NULL, look, NULL);
    *block = 4;
    pthread_join(thread, NULL);
}
