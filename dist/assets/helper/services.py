# The part of the helper that keeps services of an experiment on its machine: each is a process in a session of its own, with an output that is kept
# in memory, started before a run (or all of them) and stopped after it. What they start is told from what a run starts by who its parents are, and
# where those are gone by the marks in its environment. A helper that ends ends them with everything else. Nothing waits here: the loop of the helper
# looks at them.

services = {}
tries = {}
# Kept of both ends of what a service prints, when it is more than the most.
MAX_PRINTED, KEPT_PRINTED = 64 << 20, 8 << 20
LAST_PRINTED = 1 << 16

def part_of(pid):
    """The service whose mark a process carries; None: it carries none."""
    marks = marks_of(pid)
    if b"JOULEDIFF_STAGE=service" not in marks:
        return None
    lead = b"JOULEDIFF_PART="
    return next((one[len(lead):].decode("utf-8", "replace") for one in marks if one.startswith(lead)), None)

def of_services(wanted=None):
    """What runs of services, or of one of them."""
    if not services:
        return {}
    all_of_them = descendants()
    roots = [one["pid"] for name, one in services.items() if one["status"] is None and wanted in (None, name)]
    roots += [pid for pid, one in tries.items() if one["status"] is None and wanted in (None, one["name"])]
    marked = [pid for pid in all_of_them if (part_of(pid) in services if wanted is None else part_of(pid) == wanted)]
    own = {pid: all_of_them[pid] for pid in roots + marked if pid in all_of_them}
    return {**own, **descendants(own)}

def no_services():
    theirs = of_services()
    return {pid: name for pid, name in descendants().items() if pid not in theirs}

def is_group_there(group):
    return any(int(fields[2]) == group for fields in map(stat_of, processes()) if fields is not None)

def kill_group(group, number):
    try:
        os.killpg(group, number)
    except OSError:
        pass

def spawned(asked, into):
    """Its number. Raises OSError."""
    try:
        child = subprocess.Popen(asked["argv"], cwd=asked["cwd"], env=environment_of(asked), stdin=subprocess.DEVNULL, stdout=into, stderr=into,
                                 start_new_session=True)
    except ValueError as error:
        raise OSError(str(error)) from error
    # Waited for by reap().
    child.returncode = 0
    return child.pid

def start_service(asked):
    if asked["name"] in services:
        raise OSError("it is there already")
    into = output_file()
    try:
        pid = spawned(asked, into)
    except OSError:
        os.close(into)
        raise
    services[asked["name"]] = {"pid": pid, "status": None, "output": into, "left_out": 0, "awaited": None, "stop": None}
    say({"id": asked["id"]})

def service_named(asked):
    if asked["name"] not in services:
        raise OSError("there is no such service")
    return services[asked["name"]]

def note_end(pid, status):
    for one in list(services.values()) + list(tries.values()):
        if one["pid"] == pid and one["status"] is None:
            one["status"] = status

def printed_of(one, most):
    """Both ends of what it printed, and how much is missing between them."""
    size, half = os.fstat(one["output"]).st_size, min(most // 2, KEPT_PRINTED)
    ends = [(0, min(half, size)), (max(half, size - half), size)]
    parts = [os.pread(one["output"], end - begin, begin) for begin, end in ends if end > begin]
    return {"parts": [base64.b64encode(part).decode() for part in parts], "left_out": one["left_out"] + size - sum(map(len, parts))}

def printed_by_service(asked):
    """Nothing where that is no more than was seen before."""
    one = service_named(asked)
    size = one["left_out"] + os.fstat(one["output"]).st_size
    told = {"parts": None, "left_out": 0} if size == asked["seen"] else printed_of(one, asked["most"])
    say(dict(told, id=asked["id"], size=size))

def shorten(one):
    size = os.fstat(one["output"]).st_size
    if size <= MAX_PRINTED:
        return
    last = os.pread(one["output"], KEPT_PRINTED, size - KEPT_PRINTED)
    os.ftruncate(one["output"], KEPT_PRINTED)
    os.write(one["output"], last)
    one["left_out"] += size - 2 * KEPT_PRINTED

def await_service(asked):
    service_named(asked)["awaited"] = asked["id"]

def tell_end(name, one):
    status, signalled = one["status"], os.WIFSIGNALED(one["status"])
    asked, one["awaited"] = one["awaited"], None
    say(dict(printed_of(one, LAST_PRINTED), id=asked, left=sorted(set(of_services(name).values())),
             exit_code=None if signalled else os.WEXITSTATUS(status), signal=signal_name(os.WTERMSIG(status)) if signalled else None))

def try_command(asked):
    service_named(asked)
    into = os.open(os.devnull, os.O_WRONLY)
    try:
        pid = spawned(asked, into)
    finally:
        os.close(into)
    tries[pid] = {"pid": pid, "id": asked["id"], "name": asked["name"], "status": None, "until": time.monotonic() + asked["timeout"]}

def enough(asked):
    end_tries(asked["name"])

def end_tries(name):
    for pid, one in tries.items():
        if one["name"] == name and one["status"] is None:
            kill_group(pid, signal.SIGKILL)

def stop_service(asked):
    one = service_named(asked)
    number = getattr(signal, asked["signal"])
    one["stop"] = {"id": asked["id"], "most": asked["most"], "number": number, "until": time.monotonic() + asked["within"], "killed": False,
                   "asked": False, "ended": False}
    end_tries(asked["name"])
    if one["status"] is None:
        one["stop"]["asked"] = True
        kill_group(one["pid"], number)

def go_on_stopping(name, one):
    stop = one["stop"]
    is_gone = one["status"] is not None and not (stop["asked"] and is_group_there(one["pid"]))
    if not is_gone and time.monotonic() < stop["until"]:
        return
    if not is_gone and not stop["ended"]:
        stop.update(ended=True, killed=stop["number"] != signal.SIGKILL, until=time.monotonic() + 2 * GRACE_S)
        kill_group(one["pid"], signal.SIGKILL)
        return
    left, remaining = end_while(lambda: of_services(name))
    if one["awaited"] is not None and one["status"] is not None:
        tell_end(name, one)
    told = printed_of(one, stop["most"])
    os.close(one["output"])
    del services[name]
    say(dict(told, id=stop["id"], killed=stop["killed"], left=left, remaining=remaining))

def services_rest():
    """How long nothing has to be looked at."""
    if any(one["stop"] is not None for one in services.values()):
        return 0.05
    return 1.0 if services or tries else LEASE_S

def watch_services():
    for pid, one in list(tries.items()):
        if one["status"] is not None:
            del tries[pid]
            say({"id": one["id"], "good": one["status"] == 0})
        elif time.monotonic() >= one["until"]:
            kill_group(pid, signal.SIGKILL)
    for name, one in list(services.items()):
        if one["status"] is not None and one["awaited"] is not None:
            tell_end(name, one)
        shorten(one)
        if one["stop"] is not None:
            go_on_stopping(name, one)
