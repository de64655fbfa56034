//@ args: --property unreach-call --max-states 2000
//@ verdict: violated "count != 20"
// The handle is written to the block that the new thread is given.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct job { pthread_t thread; int number; };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;
void *worker(void *job)
{
    pthread_mutex_lock(&lock);
    count++;
    assert(count != 20);
    pthread_mutex_unlock(&lock);
    free(job);
    return 0;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct job *job = malloc(sizeof *job);
        pthread_create(&job->thread, 0, worker, job);
    }
    return 0;
}
