//@ args: --property no-overflow --max-states 2000
//@ verdict: unknown
// What takes too many values to be held may overflow all the same.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;

void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    total = total + 1000;
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
