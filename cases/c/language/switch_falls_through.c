//@ verdict: holds
#include <assert.h>

int weigh(int x) {
    int weight = 0;
    switch (x) {
    case -1:
        return -1;
    case 1:
        weight += 1;
    case 2:
        weight += 2;
        break;
    case 1000000:
        weight = 9;
    default:
        weight += 5;
    }
    return weight;
}

int main(void) {
    assert(weigh(1) == 3 && weigh(2) == 2 && weigh(3) == 5);
    assert(weigh(-1) == -1 && weigh(1000000) == 14);
}
