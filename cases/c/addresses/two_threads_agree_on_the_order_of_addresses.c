//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int one, two, three;
_Bool is_lower[2];

void *look(void *unused) {
    is_lower[0] = &one < &two && &two < &three;
    return NULL;
}

int main(void) {
    pthread_t other;
    int *left = &one, *right = &three;
    pthread_create(&other, NULL, look, NULL);
    is_lower[1] = left < right;
    pthread_join(other, NULL);
    assert(!is_lower[0] || is_lower[1]);
}
