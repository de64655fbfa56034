//@ verdict: holds
#include <assert.h>
#include <pthread.h>

struct { char left, right; unsigned a : 4, : 0, b : 4; } members;

void *set(void *unused) {
    members.left = 1;
    members.a = 3;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    members.right = 2;
    members.b = 4;
    pthread_join(t, NULL);
    assert(members.left == 1 && members.right == 2 && members.a == 3 && members.b == 4);
}
