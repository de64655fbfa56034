//@ args: --property all
//@ verdict: violated
// The lock is part of the freed object: unlocking it afterwards uses it after its
// lifetime (C11 6.2.4p2).
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int n_users;
};
struct object *object;

void *leave(void *unused) {
    struct object *mine = object;
    pthread_mutex_lock(&mine->lock);
    if (--mine->n_users == 0)
        free(mine);
    pthread_mutex_unlock(&mine->lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    object = malloc(sizeof *object);
    pthread_mutex_init(&object->lock, NULL);
    object->n_users = 2;
    pthread_create(&one, NULL, leave, NULL);
    pthread_create(&two, NULL, leave, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
