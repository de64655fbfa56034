//@ verdict: violated "never set"
//@ verdict with --property unreach-call: holds
#include <pthread.h>
#include <stdlib.h>

/* C11 J.2: the value of memory that `malloc` gave is used before it was set, whatever
   comes of it. */
static void *look(void *arg) {
    int *cell = arg;
    int seen = *cell;
    (void)seen;
    return NULL;
}

int main(void) {
    int *cell = malloc(sizeof *cell);
    pthread_t thread;
    pthread_create(&thread, NULL, look, cell);
    pthread_join(thread, NULL);
    free(cell);
    return 0;
}
