//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

struct {
    unsigned left : 4, right : 4;
} pair;
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    _Bool is_right = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&locks[is_right]);
    if (is_right)
        pair.right = 1;
    else
        pair.left = 1;
    pthread_mutex_unlock(&locks[is_right]);
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
