//@ args: --property valid-memsafety
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
//@ verdict with -DDELETED: violated "was not freed"
//@ verdict with -DDELETED --reduction none: violated "was not freed"
//@ verdict with -DDELETED --reduction global: violated "was not freed"
//@ verdict with -DDELETED --reduction superstep: violated "was not freed"
//@ verdict with -DTHREAD_EXIT: violated "was not freed"
//@ verdict with -DTHREAD_EXIT --reduction none: violated "was not freed"
//@ verdict with -DTHREAD_EXIT --reduction global: violated "was not freed"
//@ verdict with -DTHREAD_EXIT --reduction superstep: violated "was not freed"
// When `main` returns its values can still be asked for, by functions of `atexit`: nothing
// is lost. The values of a deleted key are, and those of a thread that has ended.
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

int main(void) {
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, malloc(4));
#ifdef DELETED
    pthread_key_delete(key);
#endif
#ifdef THREAD_EXIT
    pthread_exit(NULL);
#endif
    return 0;
}
