//@ verdict: violated "race"
//@ verdict with --property valid-memsafety: violated "after it was gone"
#include <pthread.h>
#include <stddef.h>

static void *work(void *number) {
    *(int *)number = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    {
        int number = 0;
        pthread_create(&thread, NULL, work, &number);
    }
    pthread_join(thread, NULL);
}
