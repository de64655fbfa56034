//@ verdict: holds
// Eight bytes are one access.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair { int left, right; };
_Atomic struct pair pair;

void *set(void *unused) {
    atomic_store(&pair, ((struct pair){1, 1}));
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    struct pair seen = atomic_load(&pair);
    assert(seen.left == seen.right);
    pthread_join(t, NULL);
}
