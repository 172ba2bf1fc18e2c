# The program that runs on another machine for as long as joulediff is connected to it: Python 3.7 and its standard library alone.
# helper.ts puts the files of this folder together, this one first and program.py last. Before it, these are set: nonce; token, of the
# experiment; what, whom the lock of the machine is taken for (None: it isn't); asker, the owner token of joulediff; QUESTIONS, the JSON Schema of what
# each operation may be asked; names that both sides use.
#
# It takes a line of JSON for each question on its standard input, and gives one for each answer. It sleeps while a workload runs, but for a
# look a second at how much that has printed, and a message every 15 s, by which it knows that somebody still waits. When its input closes, or
# nobody was heard for a minute, or takes nothing for one, it ends whatever it started and removes its folder. What a killed one left, the next
# one removes. It ends a helper of the same experiment whose end nobody heard of, and refuses beside one of another experiment.

import base64, ctypes, errno, fcntl, glob, grp, json, os, pwd, re, select, shutil, signal, socket, stat, subprocess, sys, tarfile, tempfile, threading, time

PREFIX = "joulediff-ssh-"
BASES = [base for base in (os.environ.get("TMPDIR"), "/var/tmp", os.path.expanduser("~"), "/tmp") if base]
MARK = "JOULEDIFF_PLACE"
LEASE_S = 60.0
YOUNG_S = 30.0
GRACE_S = 1.0
WAKE_NS = 1000000
YIELD_S = 5.0

def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)

def say(answer):
    data = memoryview((json.dumps(answer) + "\n").encode())
    while data:
        # Nobody takes it: the line is dead.
        signal.alarm(int(LEASE_S))
        data = data[os.write(1, data[:1 << 16]):]
    signal.alarm(0)

def processes():
    """Numbers of all processes."""
    return map(int, filter(str.isdigit, os.listdir("/proc")))

def stat_of(pid):
    """The fields of /proc/PID/stat from the state on, and the name; None: there is none, or only what its parent has not taken note of."""
    try:
        with open("/proc/%s/stat" % pid, "rb") as file:
            text = file.read().decode("latin1")
    except OSError:
        return None
    fields = text[text.rindex(")") + 2:].split()
    return None if fields[0] in "ZX" else fields + [text[text.index("(") + 1:text.rindex(")")]]

def children():
    found = {}
    for pid in processes():
        fields = stat_of(pid)
        if fields is not None:
            found.setdefault(int(fields[1]), []).append((pid, fields[-1]))
    return found

def start_of(pid):
    """When a process began, in ticks after the boot; None: there is none."""
    fields = stat_of(pid)
    return fields and fields[19]

def marks_of(pid):
    try:
        with open("/proc/%d/environ" % pid, "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []

def owner_token():
    """Who this is, in the form in which joulediff marks what it makes: of this machine, until it ends."""
    namespace = "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))
    return ":".join([text_of("/proc/sys/kernel/random/boot_id"), namespace, str(os.getpid()), start_of(os.getpid())])

def descendants(of=None):
    known, found, queue = children(), {}, [os.getpid()] if of is None else list(of)
    while queue:
        for pid, name in known.get(queue.pop(), []):
            if pid not in found:
                found[pid] = name
                queue.append(pid)
    return found

def kill(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass

def reap():
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if run and pid == run["pid"]:
            run.update(status=status, cpu=used.ru_utime + used.ru_stime)
        note_end(pid, status)

def end_all():
    """Ends all that was started."""
    return end_while(descendants)

def end_while(find):
    """Ends what is found, as long as it is; gives the names of what was there, and of what is still there."""
    first = find()
    until = time.monotonic() + GRACE_S
    there, number = first, signal.SIGTERM
    while there and time.monotonic() < until + 2 * GRACE_S:
        kill(there, number)
        while there and time.monotonic() < until + (0 if number == signal.SIGTERM else 2 * GRACE_S):
            time.sleep(0.02)
            reap()
            there = find()
            if number == signal.SIGKILL:
                kill(there, number)
        number = signal.SIGKILL
    return sorted(set(first.values())), sorted(set(there.values()))

def remove(folder):
    def again(call, path, _):
        try:
            for one in (os.path.dirname(path), path):
                # Never what the folder lies in.
                if (one + "/").startswith(folder + "/") and not os.path.islink(one):
                    os.chmod(one, 0o700)
            call(path) if call not in (os.open, os.scandir, os.lstat) else shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass
    # The file `owner` goes last: the next start must know a folder that can't be removed.
    inner = glob.glob(glob.escape(folder) + "/files-*")
    for path in inner:
        shutil.rmtree(path, onerror=again)
    if not any(map(os.path.lexists, inner)):
        shutil.rmtree(folder, onerror=again)
    return not os.path.lexists(folder)

def holds(pid, folder):
    try:
        there = ["/proc/%d/fd/%s" % (pid, name) for name in os.listdir("/proc/%d/fd" % pid)]
        return any(os.path.realpath(one) == folder + "/owner" for one in there)
    except (OSError, TypeError):
        return False

def open_itself(path, flags=os.O_RDONLY):
    """Opens a file whose name another user may have given to a link, which isn't followed, or to a pipe, which isn't waited for."""
    return open(os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK))

def is_free(owner, about, folder):
    """Waits for a helper whose lock is held: one of the same experiment is told to end, and made to after a while."""
    until = time.monotonic() + YIELD_S
    while True:
        try:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            pass
        if about["token"] == token and "asked" not in about and holds(about["pid"], folder):
            about["asked"], until = True, until + YIELD_S
            kill([about["pid"]], signal.SIGTERM)
            kill([about["pid"]], signal.SIGCONT)
        if time.monotonic() >= until:
            if about["token"] != token or about.get("killed") or not holds(about["pid"], folder):
                busy.append({"from": about.get("from"), "for": max(0.0, time.time() - os.fstat(owner.fileno()).st_mtime),
                             "own": about.get("asker") == asker})
                return False
            kill([about["pid"]], signal.SIGKILL)
            about["killed"], until = True, until + YIELD_S
        time.sleep(0.02)

def remove_left(own):
    """Gives what was removed, and what could not be."""
    left = []
    # Links are followed on the way to the base alone: others can put one with such a name into /tmp.
    found = {folder for base in BASES for folder in glob.glob(os.path.join(glob.escape(os.path.realpath(base)), PREFIX + "*"))}
    for folder in sorted(found - {own}):
        try:
            about = os.lstat(folder)
            # A home may hold a folder with such a name that is none of ours.
            if about.st_uid != os.getuid() or not stat.S_ISDIR(about.st_mode) or about.st_mode & 0o077:
                continue
            if not os.path.lexists(folder + "/owner"):
                if abs(time.time() - about.st_ctime) >= YOUNG_S and os.listdir(folder) in ([], ["owner.new"]):
                    left.append(folder)
                continue
            # NFS takes such a lock only where the file may be written.
            with open_itself(folder + "/owner", os.O_RDWR) as owner:
                mark = json.loads(owner.read())
                if {"pid", "token", "asker", "from"} <= set(mark) and is_free(owner, mark, folder) and os.path.lexists(folder):
                    left.append(folder)
        except (OSError, ValueError, TypeError):
            continue
    for folder in left:
        mark = ("%s=%s" % (MARK, folder)).encode()
        kill((pid for pid in processes() if mark in marks_of(pid)), signal.SIGKILL)
    remove_abandoned(ENGINE_SOCKET)
    gone = [folder for folder in left if remove(folder)]
    return gone, [folder for folder in left if folder not in gone]

def make_folder():
    for base in BASES:
        try:
            folder = os.path.realpath(tempfile.mkdtemp(prefix=PREFIX, dir=base))
        except OSError:
            continue
        owner = open(folder + "/owner.new", "w")
        fcntl.flock(owner, fcntl.LOCK_EX)
        owner.write(json.dumps({"pid": os.getpid(), "token": token, "asker": asker,
                                "from": (os.environ.get("SSH_CLIENT") or "").split(" ")[0]}))
        owner.flush()
        # After a power cut, an empty mark would keep the folder from being removed.
        os.fsync(owner.fileno())
        os.rename(folder + "/owner.new", folder + "/owner")
        return folder, owner
    raise OSError("no folder can be made in any of " + ", ".join(BASES))

def connection_end(field):
    """An address of the connection, as this machine sees it: 0, that of whoever asks, 2, its own; empty: it isn't known."""
    return ((os.environ.get("SSH_CONNECTION") or "").split(" ") + [""] * 4)[field]

def environment_of(asked):
    """The variables of a command: those of whoever logged in, without the locale that Python adds to its own (PEP 538), and with the command's folder."""
    inherited = dict(one.split("=", 1) for one in map(os.fsdecode, marks_of(os.getpid())) if one.find("=") > 0)
    inherited.pop("OLDPWD", None)
    return {**inherited, "PWD": asked["cwd"], **asked["env"], MARK: folder}

def text_of(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""

def output_file():
    """A new file for an output, which is appended to."""
    try:
        handle = os.memfd_create("joulediff-output", os.MFD_CLOEXEC)
    except (AttributeError, OSError):
        handle, path = tempfile.mkstemp(dir=folder)
        os.unlink(path)
    fcntl.fcntl(handle, fcntl.F_SETFL, fcntl.fcntl(handle, fcntl.F_GETFL) | os.O_APPEND)
    return handle

run = None
stamps = None
output = None
unpacking = None
engine = None

