//@ verdict: violated "out of bounds"
#include <pthread.h>

int row[3], n = 3;

int main(void) {
    return row[n];
}
