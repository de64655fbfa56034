//@ verdict: holds
//@ verdict with -DEXIT: violated "`cleaned == 1`"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int cleaned;

void clean(void *by) { cleaned += *(int *)by; }

void *work(void *unused) {
    int one = 1, ten = 10;
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_push(clean, &ten);
#ifdef EXIT
    pthread_exit(NULL);
#endif
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(cleaned == 1);
}
