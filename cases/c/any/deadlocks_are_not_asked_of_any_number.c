//@ args: --threads any
//@ verdict: holds
#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
int shared;
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    _Bool is_left_first = __VERIFIER_nondet_bool();
    pthread_mutex_lock(is_left_first ? &left : &right);
    pthread_mutex_lock(is_left_first ? &right : &left);
    shared++;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
