/* A stand-in for libnvidia-ml.so.1, with one GPU of constant power; signatures as of NVIDIA's nvml.h. There is no GPU here to compare it with.
 *   cc -shared -fPIC -DMILLIWATTS=61500 -DENERGY=0 -o libnvidia-ml.so.1 nvml.c       ENERGY: what the counter's function returns, 3: not supported */
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef void *nvmlDevice_t;

static int board;

const char *nvmlErrorString(int code) { return code == 3 ? "Not Supported" : code == 6 ? "Not Found" : "Unknown Error"; }
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 1; return 0; }

int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device) {
    *device = &board;
    return index == 0 ? 0 : 6;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
    *device = &board;
    return strcmp(uuid, "GPU-8fe3a97d-51f6-a669-0d80-b4530b81b816") == 0 ? 0 : 6;
}

int nvmlDeviceGetUUID(nvmlDevice_t device, char *text, unsigned length) {
    snprintf(text, length, "%s", "GPU-8fe3a97d-51f6-a669-0d80-b4530b81b816");
    return device == &board ? 0 : 2;
}

int nvmlDeviceGetName(nvmlDevice_t device, char *text, unsigned length) {
    snprintf(text, length, "%s", "NVIDIA L4");
    return device == &board ? 0 : 2;
}

int nvmlSystemGetDriverVersion(char *text, unsigned length) {
    snprintf(text, length, "%s", "550.90.12");
    return 0;
}

/* Renewed every 20 ms. */
int nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *millijoules) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned long long milliseconds = now.tv_sec * 1000ull + now.tv_nsec / 1000000;
    *millijoules = (milliseconds - milliseconds % 20) * MILLIWATTS / 1000;
    return device == &board ? ENERGY : 2;
}

int nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *milliwatts) {
    *milliwatts = MILLIWATTS;
    return device == &board ? 0 : 2;
}
