//@ verdict: holds
// A structure with the address of a variable is copied to where another thread finds it:
// the variable is shared from then on.
#include <assert.h>
#include <pthread.h>

struct parcel {
    int *content;
    long padding[8];
};

struct parcel sent;

void *receive(void *unused) {
    int own = 1;
    int *volatile mine = &own;
    assert(*sent.content == 42 && *mine == 1);
    *sent.content = 43;
    return NULL;
}

int main(void) {
    pthread_t a;
    int content = 42;
    struct parcel parcel = {&content, {0}};
    sent = parcel;
    pthread_create(&a, NULL, receive, NULL);
    pthread_join(a, NULL);
    assert(content == 43);
}
