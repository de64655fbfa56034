//@ verdict: violated "data race"
// Each thread calls the destructor itself when it ends (POSIX, pthread_key_create), so
// both write at once.
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int n_destroyed;

void destroy(void *value) {
    n_destroyed++;
}

void *work(void *unused) {
    pthread_setspecific(key, &key);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
