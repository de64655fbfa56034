//@ verdict: holds
// Ownership moves with the pointer; nobody else looks at the node.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job { struct job *next; int input, output; };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
struct job *jobs;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!jobs)
        pthread_cond_wait(&changed, &lock);
    struct job *job = jobs;
    jobs = job->next;
    pthread_mutex_unlock(&lock);
    job->output = job->input * 2;
    return job;
}

int main(void) {
    pthread_t workers[2];
    int sum = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 1; i <= 2; i++) {
        struct job *job = malloc(sizeof *job);
        job->input = i;
        pthread_mutex_lock(&lock);
        job->next = jobs;
        jobs = job;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(workers[i], &result);
        sum += ((struct job *)result)->output;
        free(result);
    }
    assert(sum == 6);
}
