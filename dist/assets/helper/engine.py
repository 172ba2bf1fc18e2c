# Where Docker's engine is asked on the other machine.

# For an engine that gives no answer, or can't remove what it has.
ENDING_S = 8.0
LATE_S = 4.0

def is_abandoned(one):
    """Whether the owner of a container is a helper or a joulediff of this machine that is gone, as far as can be told from here."""
    boot, namespace, pid, start = (one["Labels"].get(OWNER_LABEL, "").split(":") + [""] * 4)[:4]
    own_boot, own_namespace, _, _ = owner_token().split(":")
    if boot != own_boot:
        # No container of ours outlives a boot running. What another system that shares this engine has made is left to that system.
        import hashlib
        machine = text_of("/etc/machine-id")
        mark = hashlib.sha256(("joulediff " + machine).encode()).hexdigest()[:16]
        is_here = machine != "" and one["Labels"].get(MACHINE_LABEL) == mark
        return is_here and boot != "" and one.get("State") not in ("running", "paused") and one.get("Created", 0) < booted_at()
    return namespace == own_namespace and pid.isdigit() and start_of(pid) != start

def booted_at():
    with open("/proc/stat") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("btime"))

def remove_abandoned(path):
    """Removes what helpers that are gone left in the engine; nothing where there is none, or none that this user may ask, or that gives no answer."""
    if not os.access(path, os.R_OK | os.W_OK):
        return
    try:
        for one in containers_of(path, PLACE_LABEL, 3.0):
            if is_abandoned(one):
                remove_container(path, one, 10.0)
    except (OSError, ValueError, KeyError):
        pass

def containers_of(path, label, timeout):
    """Those of ours with a label: a container made from an image that has the labels of one has another name.
    Raises OSError and ValueError where the engine does not tell."""
    import urllib.parse
    filters = urllib.parse.quote(json.dumps({"label": [label]}))
    status, text = engine_ask(path, "GET", "/containers/json?all=1&filters=" + filters, timeout)
    if status != 200:
        raise OSError(engine_message(text))
    return [one for one in json.loads(text) if "/%s" % one["Labels"].get(NAME_LABEL, "") in one["Names"]]

def remove_container(path, one, timeout):
    engine_ask(path, "DELETE", "/containers/%s?force=1&v=1" % one["Id"], timeout)

def engine_connection(path, timeout):
    import http.client
    class Local(http.client.HTTPConnection):
        def connect(self):
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(self.timeout)
            self.sock.connect(path)
    return Local("localhost", timeout=timeout)

def engine_ask(path, method, url, timeout=20.0):
    """Status and text of the engine's answer. Raises OSError where it gives none."""
    import http.client
    connection = engine_connection(path, timeout)
    try:
        connection.request(method, url, headers={"Content-Length": "0"} if method == "POST" else {})
        given = connection.getresponse()
        return given.status, given.read().decode("utf-8", "replace")
    except http.client.HTTPException as error:
        raise OSError("the engine gave no answer: %r" % error) from error
    finally:
        connection.close()

def engine_message(text):
    try:
        return json.loads(text)["message"]
    except (ValueError, KeyError, TypeError):
        return text.strip()[:300]

def end_containers(path, place):
    """Removes what carries this place's label, whatever runs in it, within a bounded time; the names of what is still there."""
    remaining, until = ["containers that Docker's engine there does not tell of"], time.monotonic() + ENDING_S
    rest = lambda: max(0.5, until - time.monotonic())
    for attempt in range(5):
        if time.monotonic() >= until:
            break
        try:
            there = containers_of(path, "%s=%s" % (PLACE_LABEL, place), rest())
            if there == []:
                return []
            remaining = ["container " + one["Id"][:12] for one in there]
            for one in there:
                remove_container(path, one, rest())
        except FileNotFoundError:
            # No engine, no containers that run; whoever starts next looks for them.
            break
        except (OSError, ValueError):
            pass
        time.sleep(0.2 * attempt)
    return remaining

def end_late_containers():
    """Whoever asked for one is gone, and the engine may be making it still: it is there only when it is made."""
    until = time.monotonic() + LATE_S
    while end_containers(engine, folder) == [] and time.monotonic() < until:
        time.sleep(0.25)

def open_engine(asked):
    """From here on, containers of this place are removed when this helper ends."""
    global engine
    engine_ask(asked["socket"], "GET", "/_ping", 10.0)
    engine = asked["socket"]
    say({"id": asked["id"], "remaining": end_containers(engine, folder)})

def asked_of_engine(url, headers=""):
    """The socket of a question to the engine that was just sent."""
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        stream.settimeout(10.0)
        stream.connect(engine)
        stream.sendall(("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n%s\r\n" % (url, headers)).encode())
        return stream
    except BaseException:
        stream.close()
        raise

class Refused(Exception):
    """The engine is there, and does not do what it was asked."""

def begun(stream):
    """What an answer that goes on has brought beyond its head. Raises Refused, and OSError where the engine goes away."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = stream.recv(65536)
        if not data:
            raise OSError("the engine closed the connection")
        head += data
    head, rest = head.split(b"\r\n\r\n", 1)
    if head.split(b" ", 2)[1] not in (b"101", b"200"):
        raise Refused("the engine refused it: " + rest.decode("utf-8", "replace")[-300:])
    stream.setblocking(False)
    return rest

def start_container(asked):
    global run
    new_output()
    one = "/containers/%s/" % asked["container"]
    streams = []
    try:
        streams.append(asked_of_engine(one + "attach?stream=1&stdout=1&stderr=1", "Connection: Upgrade\r\nUpgrade: tcp\r\n"))
        printed_first = begun(streams[0])
        # Registered before the start: none can end unseen, however short it is.
        streams.append(asked_of_engine(one + "wait?condition=next-exit"))
        begun(streams[1])
        start = now()
        streams.append(asked_of_engine(one + "start", "Connection: close\r\n"))
        streams[2].setblocking(False)
    except (OSError, Refused) as error:
        for stream in streams:
            stream.close()
        say({"id": asked["id"], "error": getattr(error, "strerror", None) or str(error), "gone": isinstance(error, OSError)})
        return
    late = None if asked["timeout"] is None else time.monotonic() + asked["timeout"]
    run = {"id": asked["id"], "container": asked["container"], "pid": None, "status": None, "timed_out": False, "printed_too_much": False,
           "most": asked["most"], "stopping": None, "timeout": asked["timeout"], "executions": 1, "until": late, "latest": late,
           "start": start, "started": None, "end": None, "open": dict(zip(("printing", "waiting", "starting"), streams)),
           "printing": printed_first, "waiting": b"", "starting": b""}

def take_frames():
    """What it printed, out of the engine's frames: a kind, three zeros, a length, the text."""
    data, at, texts = run["printing"], 0, []
    while len(data) >= at + 8:
        end = at + 8 + int.from_bytes(data[at + 4:at + 8], "big")
        if len(data) < end:
            break
        texts.append(data[at + 8:end])
        at = end
    if texts:
        os.write(output, b"".join(texts))
        run["printing"] = data[at:]

def take_from(name):
    """Reads what there is; what has come to its end is closed."""
    try:
        data = run["open"][name].recv(1 << 20)
    except BlockingIOError:
        return
    except OSError:
        data = b""
    run[name] += data
    if not data:
        run["open"].pop(name).close()

def refused_start():
    """Why the engine could not start it, and whether it went away; None: it did, or has not said yet."""
    head, mark, body = run["starting"].partition(b"\r\n\r\n")
    if not mark:
        return None if "starting" in run["open"] else ("it closed the connection", True)
    if run["started"] is None:
        run["started"] = (now() - run["start"]) / 1e9
    if head.split(b" ", 2)[1] == b"204":
        return None
    if "starting" in run["open"]:
        return None
    return engine_message(body[body.find(b"{"):body.rfind(b"}") + 1].decode("utf-8", "replace")) or "the engine refused it", False

def follow(ready, woken):
    """Reads what the engine tells of the container that runs."""
    by_number = {stream.fileno(): name for name, stream in run["open"].items()}
    for number, name in by_number.items():
        if number not in ready:
            continue
        take_from(name)
        if name == "waiting" and run["end"] is None:
            run["end"] = woken
    take_frames()
    refusal = refused_start()
    if refusal is not None:
        give_up_container(*refusal)
    elif exit_code_of(run["waiting"]) is not None or "waiting" not in run["open"]:
        finish_container()

def give_up_container(why, gone):
    global run
    done, run = run, None
    for stream in done["open"].values():
        stream.close()
    say({"id": done["id"], "error": why, "gone": gone})

def exit_code_of(told):
    try:
        return int(json.loads(told[told.index(b"{"):told.rindex(b"}") + 1])["StatusCode"])
    except (ValueError, KeyError, TypeError):
        return None

def finish_container():
    global run
    until = time.monotonic() + 5.0
    # The engine passes on what was printed last after the end.
    while "printing" in run["open"] and time.monotonic() < until and os.fstat(output).st_size <= run["most"]:
        if select.select([run["open"]["printing"]], [], [], 0.5)[0]:
            take_from("printing")
            take_frames()
    done, run = run, None
    for stream in done["open"].values():
        stream.close()
    code = exit_code_of(done["waiting"])
    out_of_memory = False
    try:
        status, text = engine_ask(engine, "GET", "/containers/%s/json" % done["container"])
        out_of_memory = status == 200 and json.loads(text)["State"].get("OOMKilled") is True
    except (OSError, ValueError, KeyError):
        pass
    say({"id": done["id"], "start": done["start"], "end": done["end"], "timed_out": done["timed_out"], "started": done["started"],
         "printed_too_much": done["printed_too_much"], "exit_code": code, "out_of_memory": out_of_memory})

def kill_container():
    try:
        engine_ask(engine, "POST", "/containers/%s/kill" % run["container"], 5.0)
    except OSError:
        pass
