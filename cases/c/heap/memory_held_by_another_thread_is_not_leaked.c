//@ args: --property valid-memsafety
//@ verdict: holds
#include <pthread.h>
#include <stdlib.h>

void *own(void *argument) {
    free(argument);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, own, malloc(4));
    pthread_join(t, NULL);
}
