//@ verdict: holds
// The first thread waits for one of two locks, within a section. One is held by a thread
// that waits for the first, and the other is given back: no circle of threads is stuck.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *take_either(void *unused) {
    pthread_mutex_lock(&outer);
    __VERIFIER_atomic_begin();
    int which = __VERIFIER_nondet_bool() ? 1 : 0;
    pthread_mutex_lock(&inner[which]);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&inner[which]);
    pthread_mutex_unlock(&outer);
    return NULL;
}

static void *take_the_first(void *unused) {
    pthread_mutex_lock(&inner[0]);
    pthread_mutex_lock(&outer);
    pthread_mutex_unlock(&outer);
    pthread_mutex_unlock(&inner[0]);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, take_either, NULL);
    pthread_create(&b, NULL, take_the_first, NULL);
    pthread_mutex_lock(&inner[1]);
    pthread_mutex_unlock(&inner[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
