//@ args: --property valid-memsafety
//@ verdict: violated "was not freed"
//@ verdict with --reduction none: violated "was not freed"
//@ verdict with --reduction global: violated "was not freed"
//@ verdict with --reduction superstep: violated "was not freed"
//@ verdict with -DTAKEN: holds
//@ verdict with -DTAKEN --reduction none: holds
//@ verdict with -DTAKEN --reduction global: holds
//@ verdict with -DTAKEN --reduction superstep: holds
//@ verdict with -DDESTROYED: holds
//@ verdict with -DDESTROYED --reduction none: holds
//@ verdict with -DDESTROYED --reduction global: holds
//@ verdict with -DDESTROYED --reduction superstep: holds
//@ verdict with -DKEPT: violated "was not freed"
//@ verdict with -DKEPT --reduction none: violated "was not freed"
//@ verdict with -DKEPT --reduction global: violated "was not freed"
//@ verdict with -DKEPT --reduction superstep: violated "was not freed"
//@ verdict with -DDELETED: violated "was not freed"
//@ verdict with -DDELETED --reduction none: violated "was not freed"
//@ verdict with -DDELETED --reduction global: violated "was not freed"
//@ verdict with -DDELETED --reduction superstep: violated "was not freed"
//@ verdict with -DOVERWRITTEN: violated "was not freed"
//@ verdict with -DOVERWRITTEN --reduction none: violated "was not freed"
//@ verdict with -DOVERWRITTEN --reduction global: violated "was not freed"
//@ verdict with -DOVERWRITTEN --reduction superstep: violated "was not freed"
//@ verdict with -DSHARED: violated "was not freed"
//@ verdict with -DSHARED --reduction none: violated "was not freed"
//@ verdict with -DSHARED --reduction global: violated "was not freed"
//@ verdict with -DSHARED --reduction superstep: violated "was not freed"
//@ verdict with -DKNOWN: holds
//@ verdict with -DKNOWN --reduction none: holds
//@ verdict with -DKNOWN --reduction global: holds
//@ verdict with -DKNOWN --reduction superstep: holds
// When a thread ends, nobody can ask for its values any more: what they point to is lost,
// unless the thread has freed it (TAKEN), or a destructor does (DESTROYED; KEPT has one that
// does not), or somebody else knows it (KNOWN).
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int *known;

static void destroy(void *value) {
#ifndef KEPT
    free(value);
#endif
}

static void *work(void *arg) {
    int *value = malloc(4);
#ifdef SHARED
    known = value;
    known = NULL;
#endif
#ifdef KNOWN
    known = value;
#endif
    pthread_setspecific(key, value);
#ifdef OVERWRITTEN
    int *other = malloc(4);
    pthread_setspecific(key, other);
    free(other);
#endif
#ifdef TAKEN
    free(pthread_getspecific(key));
#endif
#ifdef DELETED
    pthread_key_delete(key);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
#if defined DESTROYED || defined KEPT || defined DELETED
    pthread_key_create(&key, destroy);
#else
    pthread_key_create(&key, NULL);
#endif
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
