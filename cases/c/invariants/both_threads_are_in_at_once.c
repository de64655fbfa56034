//@ args: --invariant check_exclusion
//@ verdict with --property unreach-call: violated "check_exclusion"
//@ verdict with --property unreach-call --reduction global: violated "check_exclusion"
//@ verdict with --property no-deadlock: violated "check_exclusion"
// The flag is looked at before it is set, so both may enter. Nothing but the invariant
// says so: no assertion fails.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, inside;

int check_exclusion(void) {
    return inside <= 1;
}

void *enter(void *unused) {
    while (flag) {
    }
    flag = 1;
    inside++;
    inside--;
    flag = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
