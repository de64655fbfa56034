//@ args: --ub --property unreach-call --max-states 2000
//@ verdict: unknown
// Where in the array the access lies is not held.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

char array[4096];
atomic_int next;

void *put(void *unused)
{
    int at = atomic_fetch_add(&next, 4);
    if (at >= 0 && at < 4000)
        *(atomic_int *)(array + at + (at == 3000)) = 1;
    return unused;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, put, 0);
    }
    return 0;
}
