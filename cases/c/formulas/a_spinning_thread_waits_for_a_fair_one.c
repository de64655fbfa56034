//@ verdict with --ltl '<> (done == 1)': violated
//@ verdict with --ltl '<> (done == 1)' --fairness weak: holds
//@ verdict with --ltl '<> is_done' --fairness weak --reduction global: holds
//@ verdict with --ltl '<> is_done' --fairness weak --reduction none: holds
//@ verdict with --ltl '(done == 0) U (flag == 1)' --fairness weak: holds
//@ verdict with --ltl 'G (done == 0)' --fairness weak: violated
//@ verdict with --property termination: holds
//@ verdict with --property termination --reduction global: holds
// The second thread spins until the first has set the flag, which it does if it may.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, done;

int is_done(void) {
    return done == 1;
}

void *set(void *unused) {
    flag = 1;
    return NULL;
}

void *spin(void *unused) {
    while (!flag) {
    }
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, spin, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
