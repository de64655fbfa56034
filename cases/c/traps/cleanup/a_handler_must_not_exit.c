//@ verdict: violated "`pthread_exit` is called by a function that runs because of it"
//@ verdict with -DDESTRUCTOR: violated "`pthread_exit` is called by a function that runs because of it"
//@ rule: thread-misuse
#include <pthread.h>

/* POSIX: undefined in a handler or destructor that runs because of `pthread_exit`. */
pthread_key_t key;

static void leave(void *value) { pthread_exit(value); }

static void *work(void *arg) {
#ifdef DESTRUCTOR
    pthread_setspecific(key, &key);
#else
    pthread_cleanup_push(leave, NULL);
    pthread_exit(arg);
    pthread_cleanup_pop(0);
#endif
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, leave);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
