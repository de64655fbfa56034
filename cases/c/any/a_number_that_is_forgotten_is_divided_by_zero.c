//@ args: --property no-overflow --max-states 2000
//@ verdict: unknown
// What is divided may be anything; what it is divided by is zero.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned total, share, zero;

void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    total = (total + 1) & 0xfffff;
    if (total > 3000)
        share = total / zero;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, add, 0);
    }
    return 0;
}
