//@ verdict: holds
// Two transfers in opposite directions take both locks, the lower one first: whichever lies
// lower, no deadlock.
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
struct account *left, *right;

static void transfer(struct account *from, struct account *to) {
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

void *work(void *unused) {
    transfer(right, left);
    return NULL;
}

static struct account *make(void) {
    struct account *account = calloc(1, sizeof *account);
    pthread_mutex_init(&account->lock, NULL);
    return account;
}

int main(void) {
    pthread_t other;
    left = make();
    right = make();
    pthread_create(&other, NULL, work, NULL);
    transfer(left, right);
    pthread_join(other, NULL);
    free(left);
    free(right);
}
