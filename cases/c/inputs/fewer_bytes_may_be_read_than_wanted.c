//@ verdict: violated "never set"
#include <unistd.h>

int main(void) {
    char bytes[2];
    if (read(0, bytes, 2) < 1)
        return 1;
    if (bytes[1] == 'x')
        return 2;
}
