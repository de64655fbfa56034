//@ args: --property all
//@ verdict: holds
// A mutex may be destroyed immediately after it is unlocked (POSIX,
// pthread_mutex_destroy, with this very example), and its memory freed, when nobody will
// lock it again.
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int n_users;
};
struct object *object;

void *leave(void *unused) {
    pthread_mutex_lock(&object->lock);
    int is_last = --object->n_users == 0;
    pthread_mutex_unlock(&object->lock);
    if (is_last) {
        pthread_mutex_destroy(&object->lock);
        free(object);
    }
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
