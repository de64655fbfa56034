// `sem_getvalue` is not among the functions that synchronise memory: seeing that a
// semaphore was posted does not order what came before the post.
//@ verdict: violated
//@ verdict with --property unreach-call: holds

#include <pthread.h>
#include <semaphore.h>

sem_t posted;
int message;

static void *send(void *unused) {
    message = 1;
    sem_post(&posted);
    return unused;
}

int main(void) {
    sem_init(&posted, 0, 0);
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    int value;
    sem_getvalue(&posted, &value);
    if (value == 1) message = 2;
    pthread_join(sender, 0);
    return 0;
}
