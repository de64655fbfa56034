//@ verdict: violated "`order != 21`"
//@ verdict with -DREVERSED: holds
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

/* POSIX: `pthread_exit` runs what was pushed and not popped, the last first, and then the
   destructors of keys; the thread's result is what it was called with. */
int order;
pthread_key_t key;

static void note(void *value) { order = order * 10 + (int)(intptr_t)value; }
static void last(void *value) {
    (void)value;
    assert(order == 0 || order == 21);
}

static void leave(void) {
    pthread_cleanup_push(note, (void *)2);
    pthread_exit((void *)7);
    pthread_cleanup_pop(0);
}

static void *work(void *arg) {
    pthread_setspecific(key, &order);
    pthread_cleanup_push(note, (void *)3);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, (void *)1);
    leave();
    pthread_cleanup_pop(1);
    assert(0);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, last);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == (void *)7);
#ifdef REVERSED
    assert(order == 21);
#else
    assert(order != 21);
#endif
    return 0;
}
