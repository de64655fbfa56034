//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

struct object {
    pthread_mutex_t lock;
    int value;
};

void *work(void *argument) {
    struct object *object = argument;
    pthread_mutex_lock(&object->lock);
    object->value = 1 - object->value;
    pthread_mutex_unlock(&object->lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        struct object *object = malloc(sizeof *object);
        pthread_mutex_init(&object->lock, 0);
        object->value = 0;
        pthread_create(&thread, 0, work, object);
        pthread_create(&thread, 0, work, object);
    }
}
