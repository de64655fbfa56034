//@ verdict: violated
//@ verdict with -DJOINED: holds
#include <pthread.h>

struct job { int left, right, sum; };

static void *add(void *arg) {
    struct job *job = arg;
    job->sum = job->left + job->right;
    return NULL;
}

int main(void) {
    pthread_t thread;
    {
        struct job *job = &(struct job){ .left = 1, .right = 2 };
        pthread_create(&thread, NULL, add, job);
#ifdef JOINED
        pthread_join(thread, NULL);
#endif
    }
#ifndef JOINED
    pthread_join(thread, NULL);
#endif
    return 0;
}
