//@ verdict: violated "argument == NULL"
//@ verdict with --property no-data-race: holds
// What a new thread does by itself is part of the step that makes it, as long as nothing
// comes of it. This comes to an error.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void *fails(void *argument) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i;
    if (sum == 3)
        assert(argument == NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fails, &thread);
    pthread_join(thread, NULL);
}
