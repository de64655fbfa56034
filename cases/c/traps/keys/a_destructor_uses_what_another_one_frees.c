//@ verdict: violated "after it was freed"
#include <pthread.h>
#include <stdlib.h>

/* It works as long as destructors run in the order of the keys. */
struct log { int *buffer; };
pthread_key_t log_key, buffer_key;

static void end_log(void *value) {
    struct log *log = value;
    *log->buffer = 0;
    free(log);
}

static void *work(void *arg) {
    struct log *log = malloc(sizeof *log);
    log->buffer = malloc(sizeof *log->buffer);
    pthread_setspecific(log_key, log);
    pthread_setspecific(buffer_key, log->buffer);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&log_key, end_log);
    pthread_key_create(&buffer_key, free);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
