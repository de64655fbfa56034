//@ verdict: violated "a thread is joined twice"
//@ verdict with -DSPINNER=0: holds
//@ verdict with -DHANDED: violated "a thread is joined twice"
//@ verdict with -DHANDED -DSPINNER=0: holds
//@ verdict with --reduction global: violated "a thread is joined twice"
//@ verdict with --reduction global -DSPINNER=0: holds
// A third thread joins the one that ends: it finds the handle in a variable, or is given it.
// `main` joins that one as well, but never comes to it when it waits for the other one first.
#include <pthread.h>
#include <stddef.h>

#ifndef SPINNER
#define SPINNER 1
#endif

pthread_t known;

void *run(void *number) {
    while ((long)number == SPINNER)
        ;
    return NULL;
}

void *join_first(void *handle) {
#ifdef HANDED
    pthread_join((pthread_t)handle, NULL);
#else
    pthread_join(known, NULL);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2], third;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
#ifdef HANDED
    pthread_create(&third, NULL, join_first, (void *)threads[!SPINNER]);
#else
    known = threads[!SPINNER];
    pthread_create(&third, NULL, join_first, NULL);
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
