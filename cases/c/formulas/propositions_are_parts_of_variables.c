//@ verdict with --ltl 'G (x == 0)': violated
//@ verdict with --ltl 'X (x == 1)' --reduction none: holds
//@ verdict with --ltl 'G (point.y <= 1 && values[1] == -2)': holds
//@ verdict with --ltl 'F (flag == 1)': unknown "has not used yet"
// Parts of variables have names, too.
int __VERIFIER_nondet_int(void);

int x, values[2] = {1, -2}, flag;
struct {
    int x, y;
} point;

int main(void) {
    x = 1;
    point.y = 1;
    flag = __VERIFIER_nondet_int();
}
