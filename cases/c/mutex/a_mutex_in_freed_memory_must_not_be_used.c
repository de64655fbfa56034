//@ verdict: violated
// The last user frees the object whose lock another thread is about to leave.
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int users;
};

void *leave(void *argument) {
    struct object *object = argument;
    pthread_mutex_lock(&object->lock);
    int is_last = --object->users == 0;
    if (is_last)
        free(object);
    else
        pthread_mutex_unlock(&object->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct object *object = malloc(sizeof *object);
    pthread_mutex_init(&object->lock, NULL);
    object->users = 3;
    pthread_create(&a, NULL, leave, object);
    pthread_create(&b, NULL, leave, object);
    leave(object);
    pthread_mutex_lock(&object->lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
