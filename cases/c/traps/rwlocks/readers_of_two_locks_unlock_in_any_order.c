//@ verdict: holds
//@ verdict with -DWRONG: violated "is unlocked by a thread that does not hold it"
#include <pthread.h>
#include <stdlib.h>

/* A lock on the heap that is read under before anybody else knows it, and another one. */
struct node {
    int value;
    pthread_rwlock_t lock;
};
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *arg) {
    struct node *node = arg;
    pthread_rwlock_rdlock(&node->lock);
#ifdef WRONG
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_unlock(&node->lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    pthread_rwlock_init(&node->lock, NULL);
    pthread_rwlock_rdlock(&node->lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&node->lock);
    pthread_create(&thread, NULL, look, node);
    pthread_rwlock_unlock(&node->lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&node->lock);
    pthread_join(thread, NULL);
    pthread_rwlock_wrlock(&node->lock);
    pthread_rwlock_unlock(&node->lock);
    pthread_rwlock_destroy(&node->lock);
    free(node);
    return 0;
}
