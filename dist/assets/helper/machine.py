# The part of the helper that tells which machine it is on, and takes that machine's lock, as a joulediff there would (src/measure/lock.ts): a lock of
# fcntl(2) on the byte that SQLite locks for BEGIN IMMEDIATE (its RESERVED_BYTE; sqlite.org/lockingv3.html), with a file beside it that tells who has it.

LOCK_PLACES = ["/run/lock", "/dev/shm", "/tmp"]
RESERVED_BYTE = 0x40000001

class Taken(Exception):
    """Another one has the machine; its holder, as far as it can be told."""

def lock_path():
    name = os.environ.get("JOULEDIFF_LOCK", "joulediff")
    file = "joulediff.lock" if name == "joulediff" else "joulediff-%s.lock" % re.sub("[^A-Za-z0-9._-]", "_", name)
    paths = [place + "/" + file for place in LOCK_PLACES]
    there = [path for path in paths if os.path.lexists(path)]
    return (there or [path for path in paths if is_shared(os.path.dirname(path))] or paths[-1:])[0], name == "joulediff"

def is_shared(place):
    """In it, everybody may make files and nobody remove another's."""
    try:
        found = os.stat(place)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == 0 and found.st_mode & 0o1777 == 0o1777

def lock_machine(what, asker):
    """Reserves the machine until this process ends. Gives what lets go of it. Raises Taken, and OSError where it can't be had."""
    path, is_machines = lock_path()
    try:
        made = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        os.fchmod(made, 0o666)
        os.close(made)
    except FileExistsError:
        pass
    # Never opened again: that would let go of it.
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_size > 0:
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not an empty file", path)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, RESERVED_BYTE)
    except OSError as error:
        os.close(handle)
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            raise
        holder = holder_of(path, found)
        boot, namespace = owner_token().split(":")[:2]
        if holder["pid"] is not None and asker.startswith("%s:%s:%d:" % (boot, namespace, holder["pid"])):
            # Whoever asks measures its own machine over ssh, and has it reserved already.
            return lambda: None
        raise Taken(holder) from error
    told = "%s.%d" % (path, os.getpid())
    try:
        if os.path.lexists(told):
            os.unlink(told)
        with open(told, "x") as file:
            os.fchmod(file.fileno(), 0o644)
            json.dump({"what": what, "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}, file)
    except OSError:
        # Only for the message of who comes second; the lock is what counts.
        pass
    def let_go():
        for one in [told] + ([] if is_machines else [path]):
            try:
                os.unlink(one)
            except OSError:
                pass
        os.close(handle)
    return let_go

def holder_of(path, found):
    node = "%02x:%02x:%d" % (os.major(found.st_dev), os.minor(found.st_dev), found.st_ino)
    holder = {"path": path, "pid": None, "user": None, "what": None, "since": None}
    for line in text_of("/proc/locks").splitlines():
        fields = line.split()
        if len(fields) > 5 and fields[1] == "POSIX" and fields[5] == node and int(fields[4]) > 0:
            holder["pid"] = int(fields[4])
            break
    else:
        return holder
    try:
        uid = os.stat("/proc/%d" % holder["pid"]).st_uid
        holder["user"] = pwd.getpwuid(uid).pw_name
        told = "%s.%d" % (path, holder["pid"])
        with open_itself(told) as file:
            about = os.fstat(file.fileno())
            # Only its own word counts.
            own = json.load(file) if stat.S_ISREG(about.st_mode) and about.st_uid == uid and about.st_size < 10000 else {}
        if own:
            holder.update(what=str(own["what"]), since=str(own["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return holder

def hardware():
    """What its makers call this machine and its built-in network cards, which no copy of its disk takes along; empty: it does not say."""
    named = [text_of(path).strip("\0 ") for path in ("/proc/device-tree/serial-number", "/sys/class/dmi/id/product_uuid")]
    for card in glob.glob("/sys/class/net/*"):
        device = os.path.realpath(card + "/device")
        # Neither what is plugged in, nor what changes its address to hide.
        is_built_in = os.path.exists(card + "/device") and "/usb" not in device and not os.path.exists(card + "/phy80211")
        if is_built_in and text_of(card + "/addr_assign_type") == "0":
            named.append(text_of(card + "/address"))
    return " ".join(sorted(filter(None, named)))
