"""A second machine's network: sshd in a network namespace of its own, behind two TUN devices. Every packet between them is late by DELAY ms and up
to JITTER more, so packets overtake each other, and LOSS percent of them never arrive. Lines on standard input: "cut" ends every connection that is
there, "dark" loses all packets from now on, "light" none but the usual. When standard input ends, all of it is taken down."""

import ctypes, fcntl, heapq, os, random, select, signal, socket, struct, subprocess, sys, time

name, here, there, delay, jitter, loss, seed, *server = sys.argv[1:]
delay, jitter, loss = float(delay) / 1000, float(jitter) / 1000, float(loss) / 100
chance = random.Random(int(seed))


def tun(device, own, other):
    fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(fd, 0x400454CA, struct.pack("16sH22x", device.encode(), 0x1001))  # TUNSETIFF: IFF_TUN, IFF_NO_PI
    for words in (["addr", "add", own, "peer", other, "dev", device], ["link", "set", device, "up"]):
        subprocess.run(["ip", *words], check=True)
    return fd


def listener(channel):
    """The other namespace: it hands its device over and becomes the server."""
    if ctypes.CDLL(None).unshare(0x40000000) != 0:  # CLONE_NEWNET
        sys.exit("no network namespace can be made")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    fd = tun("tun0", there, here)
    socket.send_fds(channel, [b"."], [fd])
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    os.execv(server[0], server)


def inside():
    """Processes of that namespace but its listener."""
    own = os.readlink("/proc/%d/ns/net" % sshd)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/ns/net" % pid) == own and int(pid) != sshd:
                with open("/proc/%s/comm" % pid) as file:
                    yield int(pid), file.read().strip()
        except OSError:
            pass


def kill(only=None):
    for pid, program in list(inside()):
        if only is None or program.startswith(only):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass


ours, theirs = socket.socketpair()
sshd = os.fork()
if sshd == 0:
    ours.close()
    listener(theirs)
theirs.close()
_, (far,), _, _ = socket.recv_fds(ours, 1, 1)
near = tun(name, here, there)
for fd in (near, far):
    os.set_blocking(fd, False)
print("up", flush=True)
waiting, number, dark = [], 0, False
try:
    while True:
        rest = None if not waiting else max(0.0, waiting[0][0] - time.monotonic())
        ready, _, _ = select.select([near, far, 0], [], [], rest)
        for fd in ready:
            if fd == 0:
                told = os.read(0, 4096).decode()
                if told == "":
                    raise SystemExit
                for line in told.split():
                    dark = line == "dark"
                    if line == "cut":
                        kill("sshd")
                continue
            try:
                packet = os.read(fd, 65536)
            except BlockingIOError:
                continue
            if dark or chance.random() < loss:
                continue
            number += 1
            late = delay + jitter * chance.random()
            heapq.heappush(waiting, (time.monotonic() + late, number, far if fd == near else near, packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, to, packet = heapq.heappop(waiting)
            try:
                os.write(to, packet)
            except OSError:
                pass
finally:
    kill("sshd")
    until = time.monotonic() + 10
    while any(inside()) and time.monotonic() < until:
        time.sleep(0.05)
    kill()
    os.kill(sshd, signal.SIGKILL)
    os.waitpid(sshd, 0)
