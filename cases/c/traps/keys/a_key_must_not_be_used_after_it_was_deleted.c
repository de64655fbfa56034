//@ verdict: violated
// The effect of pthread_setspecific with a deleted key is undefined (POSIX,
// pthread_setspecific).
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

int main(void) {
    pthread_key_create(&key, NULL);
    pthread_key_delete(key);
    pthread_setspecific(key, &key);
    return 0;
}
