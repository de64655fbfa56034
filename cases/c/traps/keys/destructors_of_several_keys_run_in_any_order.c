//@ verdict: violated "`order == 12`"
//@ verdict with -DOTHER: violated "`order == 21`"
//@ verdict with -DEITHER: holds
#include <assert.h>
#include <pthread.h>

/* POSIX: the order of destructor calls is unspecified. */
pthread_key_t first, second;
int order;

static void end_first(void *value) { order = order * 10 + *(int *)value; }
static void end_second(void *value) { order = order * 10 + *(int *)value; }

static void *work(void *arg) {
    static int one = 1, two = 2;
    pthread_setspecific(first, &one);
    pthread_setspecific(second, &two);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&first, end_first);
    pthread_key_create(&second, end_second);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
#if defined EITHER
    assert(order == 12 || order == 21);
#elif defined OTHER
    assert(order == 21);
#else
    assert(order == 12);
#endif
    return 0;
}
