//@ args: --ub
//@ verdict: holds
#include <assert.h>

struct __attribute__((packed)) record {
    char kind;
    int value;
};

int main(void) {
    struct record record = {1, 2};
    record.value++;
    assert(record.value == 3);
}
