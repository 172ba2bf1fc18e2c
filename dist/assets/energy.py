# Prints the energy counter of one NVIDIA GPU as NVML tells it, a line of JSON a reading, until its input closes: Python 3.7 and its
# standard library.
#
#   python3 energy.py LIBRARY SECONDS [INDEX|UUID]
#
# The first line says which GPU it is, or why there is no counter. A reading has the time before the counter was read, of CLOCK_MONOTONIC.
import ctypes, json, select, sys, time

class Missing(Exception):
    pass

def say(**line):
    print(json.dumps(line), flush=True)

def call(name, *values):
    code = getattr(nvml, name)(*values)
    if code != 0:
        raise Missing("%s: %s" % (name, nvml.nvmlErrorString(code).decode("utf-8", "replace")))

def text(name, *before):
    buffer = ctypes.create_string_buffer(96)
    call(name, *before, buffer, 96)
    return buffer.value.decode("utf-8", "replace")

def number(name, kind, *before):
    value = kind()
    call(name, *before, ctypes.byref(value))
    return value.value

def device(gpu):
    if gpu.isdigit():
        return ctypes.c_void_p(number("nvmlDeviceGetHandleByIndex_v2", ctypes.c_void_p, ctypes.c_uint(int(gpu))))
    return ctypes.c_void_p(number("nvmlDeviceGetHandleByUUID", ctypes.c_void_p, gpu.encode()))

def read():
    taken = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    energy = number("nvmlDeviceGetTotalEnergyConsumption", ctypes.c_ulonglong, handle)
    power = number("nvmlDeviceGetPowerUsage", ctypes.c_uint, handle)
    say(t_ns=str(taken), energy_mj=energy, power_mw=power)

try:
    library, seconds, *named = sys.argv[1:]
    nvml = ctypes.CDLL(library)
    nvml.nvmlErrorString.restype = ctypes.c_char_p
    call("nvmlInit_v2")
    if not named and number("nvmlDeviceGetCount_v2", ctypes.c_uint) != 1:
        raise Missing("there are several GPUs, or none")
    handle = device(named[0] if named else "0")
    say(uuid=text("nvmlDeviceGetUUID", handle), name=text("nvmlDeviceGetName", handle), driver=text("nvmlSystemGetDriverVersion"))
    due = time.monotonic()
    while True:
        read()
        due = max(due + float(seconds), time.monotonic())
        # Its input closes with joulediff, however that ends.
        if select.select([0], [], [], max(0.0, due - time.monotonic()))[0]:
            break
except (Missing, OSError, AttributeError) as error:
    say(missing=str(error))
