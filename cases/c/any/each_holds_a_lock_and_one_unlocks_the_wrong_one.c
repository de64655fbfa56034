//@ args: --threads any
//@ verdict: violated "unlock"
// One thread holds the left lock and one the right lock. To know that some worker holds the
// right one is not enough: it is the other one. Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
atomic_bool is_right_held;

void *hold_right(void *unused) {
    pthread_mutex_lock(&right);
    is_right_held = 1;
    return 0;
}

void *hold_left(void *unused) {
    pthread_mutex_lock(&left);
    if (is_right_held)
        pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return 0;
}

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, __VERIFIER_nondet_bool() ? hold_left : hold_right, 0);
}
