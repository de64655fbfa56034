//@ verdict with --invariant is_sum_kept: violated "is_sum_kept"
//@ verdict with --invariant is_sum_kept_outside: holds
//@ verdict with --invariant is_sum_kept_outside --reduction global: holds
//@ verdict with --invariant is_sum_kept_outside --invariant is_sum_kept: violated "`is_sum_kept`"
// Between the two writes the sum is not kept, which no other thread sees: an invariant
// does, unless it says when it speaks.
#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int left = 3, right;
bool moving;

bool is_sum_kept(void) {
    return left + right == 3;
}

bool is_sum_kept_outside(void) {
    return moving || left + right == 3;
}

void *move(void *unused) {
    pthread_mutex_lock(&lock);
    moving = true;
    left--;
    right++;
    moving = false;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, move, NULL);
    pthread_create(&b, NULL, move, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
