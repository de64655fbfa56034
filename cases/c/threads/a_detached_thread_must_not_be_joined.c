//@ verdict: violated "detached"
#include <pthread.h>

void *work(void *unused) { return NULL; }

int main(void) {
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attributes, work, NULL);
    pthread_join(t, NULL);
}
