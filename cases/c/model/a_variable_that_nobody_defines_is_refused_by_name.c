//@ verdict: unknown "`sensor_mode` is not defined"
extern int sensor_mode;

int main(void) { return sensor_mode; }
