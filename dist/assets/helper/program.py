# The operations, and the loop that takes them.

def new_output():
    global output
    if output is not None:
        os.close(output)
    output = output_file()

def start(asked):
    global run
    new_output()
    run = {"id": asked["id"], "pid": None, "status": None, "timed_out": False, "printed_too_much": False, "most": asked["most"],
           "before": set(descendants()), "stopping": None, "ends_others": asked["ends_others"]}
    printing, into = None, output
    if asked.get("stamped"):
        printing, into = os.pipe()
        os.set_blocking(printing, False)
        run.update(pipe=printing, stamps=[], emptied=now())
    try:
        run["start"] = now()
        run["pid"] = spawned(asked, into)
    except OSError as error:
        run = None
        if printing is not None:
            os.close(printing)
            os.close(into)
        say({"id": asked["id"], "error": getattr(error, "strerror", None) or str(error)})
        return
    if printing is not None:
        os.close(into)
    run["timeout"], run["executions"] = asked["timeout"], asked.get("executions", 1)
    run["until"] = None if run["timeout"] is None else time.monotonic() + run["timeout"]
    run["latest"] = None if run["timeout"] is None else time.monotonic() + run["timeout"] * run["executions"]

def take_printed(woken):
    """Moves what was printed into the output, and notes by which byte of it when it came: at that moment, or so much earlier."""
    while True:
        try:
            data = os.read(run["pipe"], 1 << 16)
        except BlockingIOError:
            run["emptied"] = now()
            return
        if not data:
            os.close(run["pipe"])
            run["pipe"] = None
            return
        os.write(output, data)
        seen = now()
        stamps = run["stamps"]
        if stamps is not None and len(stamps) < MAX_STAMPS:
            # One that waits is woken at once; what more comes meanwhile came since the last look.
            stamps.append((os.fstat(output).st_size, seen, min(seen - run["emptied"], seen - woken + WAKE_NS)))
        else:
            run["stamps"] = None
        run["emptied"] = woken = seen
        if os.fstat(output).st_size > run["most"]:
            return

def stop():
    if run and run["stopping"] is None:
        run["stopping"] = time.monotonic() + GRACE_S
        if "container" in run:
            kill_container()
            return
        kill_group(run["pid"], signal.SIGTERM)

def age():
    """How long the child of what was started has been running, seconds; None: it has none."""
    for pid, _ in children().get(run["pid"], []):
        ticks = start_of(pid)
        if ticks is not None:
            return time.clock_gettime(time.CLOCK_BOOTTIME) - int(ticks) / os.sysconf("SC_CLK_TCK")
    return None

def rest_of_execution():
    """Seconds until the execution that runs is late; where one start holds several, nobody sees their beginnings."""
    if run["executions"] == 1 or time.monotonic() >= run["latest"]:
        return 0.0
    since = age()
    return min(1.0, run["timeout"]) if since is None else run["timeout"] - since

def watch():
    """Once a second while something runs."""
    if run["until"] is not None and time.monotonic() >= run["until"]:
        rest = rest_of_execution()
        run["until"] = time.monotonic() + rest if rest > 0 else None
        if rest <= 0:
            run["timed_out"] = True
            stop()
    if os.fstat(output).st_size > run["most"]:
        run["printed_too_much"] = True
        os.ftruncate(output, run["most"])
        stop()
    if run["stopping"] is not None and time.monotonic() >= run["stopping"] and "container" in run:
        # Once more: it may not have been running yet.
        run["stopping"] = time.monotonic() + 10 * GRACE_S
        kill_container()
    elif run["stopping"] is not None and time.monotonic() >= run["stopping"]:
        kill_group(run["pid"], signal.SIGKILL)

def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "SIG%d" % number

def finish(end):
    global run, stamps
    if run.get("pipe") is not None:
        take_printed(end)
        if run["pipe"] is not None:
            os.close(run["pipe"])
    stamps = run.get("stamps")
    done, run = run, None
    status = done["status"]
    def began():
        """Processes of this command; beside a run, without those that `prepare` left and their descendants."""
        there = no_services()
        is_earlier = lambda pid: pid in done["before"] or (done["ends_others"] and b"JOULEDIFF_STAGE=prepare" in marks_of(pid))
        earlier = set(filter(is_earlier, there))
        earlier.update(descendants(earlier))
        return {pid: name for pid, name in there.items() if pid not in earlier}
    if began():
        time.sleep(0.1)
        reap()
    names, remaining = [], []
    there = began()
    if there:
        if done["ends_others"]:
            names, remaining = end_while(began)
        else:
            names = sorted(set(there.values()))
    signalled = os.WIFSIGNALED(status)
    say({"id": done["id"], "start": done["start"], "end": end, "cpu": done["cpu"], "timed_out": done["timed_out"],
         "printed_too_much": done["printed_too_much"], "exit_code": None if signalled else os.WEXITSTATUS(status),
         "signal": signal_name(os.WTERMSIG(status)) if signalled else None, "left": names, "remaining": remaining})

def printed(asked):
    part = os.pread(output, asked["end"] - asked["begin"], asked["begin"])
    say({"id": asked["id"], "data": base64.b64encode(part).decode(), "size": os.fstat(output).st_size})

def files(asked):
    texts, links, owners = {}, {}, {}
    for pattern in asked["patterns"]:
        for path in glob.glob(pattern):
            try:
                # Whatever else has such a name is not opened: a port would be reset by it, and a pipe waits.
                if not stat.S_ISREG(os.stat(path).st_mode):
                    continue
                with open(path, "rb") as file:
                    texts[path] = file.read(1 << 20).decode("utf-8", "replace")
            except OSError:
                pass
    for pattern in asked["names"]:
        for path in glob.glob(pattern):
            try:
                found = os.stat(path)
                node = "%02x:%02x:%d" % (os.major(found.st_dev), os.minor(found.st_dev), found.st_ino)
                owners[path] = {"uid": found.st_uid, "gid": found.st_gid, "mode": found.st_mode, "node": node}
            except OSError:
                pass
    for path in asked["links"]:
        try:
            links[path] = os.readlink(path)
        except OSError:
            pass
    say({"id": asked["id"], "texts": texts, "links": links, "owners": owners})

def user_name():
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return "user %d" % os.geteuid()

def group_names():
    for group in os.getgroups():
        try:
            yield grp.getgrgid(group).gr_name
        except KeyError:
            pass

def kernel_log():
    records = []
    try:
        log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        while len(records) < 100000:
            try:
                records.append(os.read(log, 8192).decode("utf-8", "replace"))
            except BrokenPipeError:
                # Some were overwritten before they were read; the next one is there.
                continue
            except OSError:
                break
    finally:
        os.close(log)
    return records

def about(asked):
    free = {}
    for path in asked["paths"]:
        try:
            found = os.statvfs(path)
            free[path] = found.f_bavail * found.f_frsize
        except OSError:
            pass
    say({"id": asked["id"], "name": user_name(), "uid": os.geteuid(), "groups": sorted(set(group_names())), "free": free, "log": kernel_log()})

def addresses_of(host, port, within):
    """Asking for a name has no limit of its own: who is asked may be silent for minutes."""
    found = []
    def look():
        try:
            found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.append(error)
    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    looking.join(within)
    if not found:
        raise OSError("its name was not found within %g s" % within)
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]

def reach(asked):
    """Whether something takes connections there, at any of the addresses that a name has; all of them together in time."""
    until, failed = time.monotonic() + asked["within"], OSError("it has no address")
    found = addresses_of(asked["host"], asked["port"], asked["within"])
    for number, (family, kind, protocol, _, address) in enumerate(found):
        try:
            with socket.socket(family, kind, protocol) as asking:
                asking.settimeout(max(0.1, (until - time.monotonic()) / (len(found) - number)))
                asking.connect(address)
                say({"id": asked["id"]})
                return
        except OSError as error:
            failed = error
    raise failed

def unpack(asked):
    global unpacking
    if unpacking is None:
        unpacking = tempfile.TemporaryFile(dir=folder)
    unpacking.write(base64.b64decode(asked["data"]))
    say({"id": asked["id"]})

def unpacked(asked):
    global unpacking
    if unpacking is None:
        unpacking = tempfile.TemporaryFile(dir=folder)
    into = os.path.join(folder, asked["into"])
    os.makedirs(into)
    unpacking.seek(0)
    with tarfile.open(fileobj=unpacking) as archive:
        trusted = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
        archive.extractall(into, **trusted)
    unpacking.close()
    unpacking = None
    say({"id": asked["id"], "path": into})

def clock(asked):
    say({"id": asked["id"], "t": now()})

def sweep(asked):
    _, remaining = end_while(no_services)
    say({"id": asked["id"], "remaining": remaining})

def stamps_of_output(asked):
    say({"id": asked["id"], "stamps": stamps})

def is_folder(asked):
    say({"id": asked["id"], "is": os.path.isdir(asked["path"])})

def bye(asked):
    _, remaining = end_all()
    containers = [] if engine is None else end_containers(engine, folder)
    say({"id": asked["id"], "remaining": remaining + containers, "removed": remove(folder)})
    raise Closed()

OPERATIONS = {
    "clock": clock, "run": start, "stop": lambda _: stop(), "sweep": sweep, "printed": printed, "stamps": stamps_of_output,
    "engine": open_engine, "container": start_container, "files": files, "about": about, "is_folder": is_folder, "unpack": unpack,
    "unpacked": unpacked, "reach": reach, "service": start_service, "service_end": await_service, "service_printed": printed_by_service,
    "service_try": try_command, "service_enough": enough, "service_stop": stop_service, "bye": bye,
}

def answer(asked):
    name = asked.pop("op", None)
    if name not in OPERATIONS:
        raise OSError("there is no operation %s" % name)
    wrong = misfit({key: value for key, value in asked.items() if key != "id"}, QUESTIONS[name])
    if wrong is not None:
        raise OSError("the question %s does not fit: %s" % (name, wrong or "all of it"))
    OPERATIONS[name](asked)

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None)}

def is_of(value, kind):
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))

def misfit(value, schema, at=""):
    """Where a value does not fit its JSON Schema, of which it knows what QUESTIONS uses; None: it fits."""
    if "anyOf" in schema:
        return None if any(misfit(value, one) is None for one in schema["anyOf"]) else at
    if "type" in schema and not is_of(value, schema["type"]):
        return at
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return None if schema.get("minimum", value) <= value <= schema.get("maximum", value) else at
    if isinstance(value, str):
        return None if re.search(schema.get("pattern", ""), value) else at
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            return at
        inner = [(one, schema["items"], "%s[%d]" % (at, number)) for number, one in enumerate(value)]
    else:
        known, others = schema.get("properties", {}), schema.get("additionalProperties", False)
        path = lambda name: "%s.%s" % (at, name) if at else name
        strange = [name for name in schema.get("required", []) if name not in value]
        strange += [name for name in value if name not in known and others is False]
        if strange:
            return path(strange[0])
        inner = [(one, known.get(name, others), path(name)) for name, one in value.items()]
    return next((found for found in (misfit(*one) for one in inner) if found is not None), None)

class Closed(Exception):
    pass

closing = False

def close(*_):
    """For the first signal only: the clean-up is not broken off by another."""
    global closing
    if not closing:
        closing = True
        raise Closed()

def main():
    wake, waker = os.pipe()
    for end in (wake, waker):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(wake, select.POLLIN)
    waiting, heard = b"", time.monotonic()
    while True:
        rest = LEASE_S - (time.monotonic() - heard)
        if rest <= 0:
            return
        if run:
            rest = min(rest, 0.05 if run["stopping"] is not None else 1.0)
            if run["until"] is not None:
                rest = min(rest, max(0.0, run["until"] - time.monotonic()))
        rest = min(rest, services_rest())
        followed = list(run["open"].values()) if run and "container" in run else []
        for stream in followed:
            poll.register(stream, select.POLLIN)
        printing = run.get("pipe") if run else None
        if printing is not None:
            poll.register(printing, select.POLLIN)
        ready = dict(poll.poll(rest * 1000 + 1))
        woken = now()
        for stream in followed:
            poll.unregister(stream)
        if followed:
            follow(ready, woken)
        if printing is not None:
            poll.unregister(printing)
            if printing in ready:
                take_printed(woken)
        if wake in ready:
            os.read(wake, 4096)
            reap()
        if run and run["status"] is not None:
            finish(woken)
        if run:
            watch()
        watch_services()
        if 0 in ready:
            data = os.read(0, 1 << 20)
            if not data:
                return
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                asked = json.loads(line)
                try:
                    answer(asked)
                except (OSError, UnicodeError, tarfile.TarError) as error:
                    say({"id": asked.get("id"), "error": getattr(error, "strerror", None) or str(error)})
            # After what was asked: it may have taken longer than anybody may be silent.
            heard = time.monotonic()

# What a login shell says may not end its line, as the title of a terminal doesn't.
os.write(1, b"\n")
if sys.version_info < (3, 7):
    say({"joulediff": nonce, "refused": "python", "version": ".".join(map(str, sys.version_info[:2]))})
    sys.exit(0)
folder, lock, busy, let_go = None, None, [], None
try:
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, close)
    # Before others are looked for: of two that begin at once, at least one sees the other.
    folder, lock = make_folder()
    left, kept = remove_left(folder)
    taken = None
    try:
        if what is not None and not busy:
            let_go = lock_machine(what, asker)
    except Taken as error:
        taken = {"refused": "taken", "taken": error.args[0]}
    except OSError as error:
        taken = {"refused": "lock", "why": "%s: %s" % (error.filename or lock_path()[0], error.strerror or error)}
    if busy:
        say({"joulediff": nonce, "refused": "busy", "busy": busy[0]})
    elif taken:
        say(dict(taken, joulediff=nonce))
    else:
        # What loses its parent stays a child of this one, and is found.
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        os.umask(0o022)
        say({"joulediff": nonce, "folder": folder, "owner": owner_token(), "left": left, "kept": kept, "temporary": tempfile.gettempdir(),
             "from": connection_end(0), "at": connection_end(2), "hardware": hardware(),
             "machine": text_of("/etc/machine-id"), "boot": text_of("/proc/sys/kernel/random/boot_id")})
        main()
except (Closed, BrokenPipeError):
    pass
finally:
    closing = True
    end_all()
    if folder is not None and os.path.lexists(folder):
        if engine is not None:
            # What it still has names its owner, and is removed by whoever starts next.
            end_late_containers()
        remove(folder)
    if engine is not None:
        # An engine that was slow may have made one for an earlier helper when that had ended.
        remove_abandoned(engine)
    if let_go is not None:
        let_go()
