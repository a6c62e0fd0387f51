#!/usr/bin/env python3
"""A framework of two-level scheduling over HTTP alone: it runs a bag of small commands on executors that stay.

    cella dev                                                # a cell with an allocator of type offers, in another terminal
    export CELLA_TOKEN=$(cat ~/.local/share/cella/dev/token) # that cell's
    seq 1 100 | sed 's/.*/echo &/' | python3 examples/bag-of-tasks.py --name bag --executors 4

Each line of the input is a command. An executor is a task of Cella: it takes one command after another from this program,
so starting a process on a machine is paid for once. The program's session takes part in offers, and so it claims only
what the allocator offers it. It accepts an offer by a transaction that claims machines for executors and names the offer;
what the claims leave goes back. It declines offers that it has no use for, and wants none while all executors run.
"""
import argparse, http.server, json, os, sys, threading, time, urllib.error, urllib.parse, urllib.request

LEASE_SECONDS = 15
EXECUTOR = """
import json, subprocess, sys, time, urllib.request
bag = sys.argv[1]
while True:
    unit = json.load(urllib.request.urlopen(bag, timeout=30))
    if "wait" in unit: time.sleep(unit["wait"]); continue
    if "end" in unit: break
    ran = subprocess.run(unit["command"], shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    done = {"unit": unit["unit"], "code": ran.returncode, "output": ran.stdout.decode(errors="replace")}
    urllib.request.urlopen(bag, json.dumps(done).encode(), timeout=30).close()
"""


class Bag:
    """The commands, and who works on which. A command whose executor is silent for too long is given out again."""

    def __init__(self, commands, seconds_max):
        self.lock, self.seconds_max = threading.Lock(), seconds_max
        self.left, self.given, self.codes = list(enumerate(commands)), {}, {}
        self.count = len(self.left)

    def next(self):
        with self.lock:
            late = [unit for unit, (_, since) in self.given.items() if time.monotonic() - since > self.seconds_max]
            self.left += [(unit, self.given.pop(unit)[0]) for unit in late]
            if self.left:
                unit, command = self.left.pop(0)
                self.given[unit] = (command, time.monotonic())
                return {"unit": unit, "command": command}
            return {"end": True} if len(self.codes) == self.count else {"wait": 0.2}

    def done(self, result):
        with self.lock:
            if result["unit"] not in self.codes:
                self.codes[result["unit"]] = result["code"]
                print(result["output"], end="", flush=True)
            self.given.pop(result["unit"], None)

    def serve(self, host):
        """Answers executors from a thread, and says where."""
        bag = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(bag.next())

            def do_POST(self):
                bag.done(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.answer({})

            def answer(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *ignored):
                pass

        server = http.server.ThreadingHTTPServer((host, 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://{host}:{server.server_port}/"


class Framework:
    def __init__(self, address, token, name, executors, cpu_milli, memory_mib):
        self.address, self.name, self.executors = address, name, executors
        self.asks = {"cpuMilli": cpu_milli, "memoryMib": memory_mib}
        self.token = {"Authorization": f"Bearer {token}"} if token else {}
        self.transactions, self.wants = 0, True

    def call(self, method, path, body=None):
        """Sent again while no leader answers. What the cell says no to is its answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = self.token | ({"Content-Type": "application/json"} if data else {})
        while True:
            try:
                request = urllib.request.Request(self.address + path, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                if refused.code != 503:
                    return json.load(refused)
            except OSError as unreachable:
                print(f"no answer ({unreachable}), trying again", file=sys.stderr)
            time.sleep(0.5)

    def ask(self, method, path, body=None):
        """A call that the program cannot do without: a no ends it."""
        answer = self.call(method, path, body)
        if "version" not in answer:
            sys.exit(f"error: {answer['detail']}\nhint:  {answer.get('hint', 'see docs/http.md')}")
        return answer

    def run(self, bag, host):
        path = f"/v1/schedulers/{self.name}/sessions/0"
        part = {"type": "bag", "lease": f"{LEASE_SECONDS}s", "offers": True, "minimumOffer": self.asks}
        self.session, renewed = self.ask("PUT", path, part)["session"], time.monotonic()
        group = {"count": self.executors, "resources": self.asks, "restart": {"attempts": 0},
                 "run": {"command": ["python3", "-c", EXECUTOR, bag.serve(host)]}}
        self.ask("POST", "/v1/jobs", {"name": self.name, "type": "batch", "scheduler": self.name, "groups": [group]})
        while len(bag.codes) < bag.count:
            if time.monotonic() - renewed > LEASE_SECONDS / 3:
                self.call("PUT", path, part | {"session": self.session})
                renewed = time.monotonic()
            pending = self.pending()
            if bool(pending) != self.wants:
                self.wants = bool(pending)
                self.call("POST", f"/v1/schedulers/{self.name}:{'revive' if self.wants else 'suppress'}", {})
            for offer in self.call("GET", "/v1/offers?" + urllib.parse.urlencode({"scheduler": self.name}))["offers"]:
                self.answer(offer, pending)
            time.sleep(0.1)
        self.ask("DELETE", f"/v1/jobs/{self.name}")
        self.call("DELETE", path)

    def pending(self):
        query = urllib.parse.urlencode({"job": self.name, "state": "PENDING", "limit": 1000})
        return [row["task"] for row in self.call("GET", "/v1/tasks?" + query)["tasks"]]

    def answer(self, offer, pending):
        """As many executors as the offer has room for; the transaction names it, so its rest goes back."""
        room = min([offer["resources"].get(dimension, 0) // amount for dimension, amount in self.asks.items()])
        if "hollow" in offer["attributes"] or not room or not pending:
            self.call("POST", f"/v1/offers/{offer['offer']}:decline", {"refuse": "60s"})
            return
        taken = [pending.pop(0) for _ in range(min(room, len(pending)))]
        self.transactions += 1
        outcome = self.call("POST", "/v1/transactions", {
            "id": f"{self.name}-{self.session}-{self.transactions}", "scheduler": self.name, "session": self.session,
            "offers": [offer["offer"]], "claims": [{"task": task, "machine": offer["machine"]} for task in taken]})
        said = outcome.get("reason", outcome.get("outcome"))
        print(f"{len(taken)} executors on {offer['machine']}: {said}", file=sys.stderr)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Runs the commands of the standard input, one a line.")
    options.add_argument("--address", default="http://127.0.0.1:7070")
    options.add_argument("--token", default=os.environ.get("CELLA_TOKEN"), help="of scope operate (CELLA_TOKEN)")
    options.add_argument("--name", default="bag", help="of the job and of its scheduler")
    options.add_argument("--executors", type=int, default=2)
    options.add_argument("--cpu-milli", type=int, default=100)
    options.add_argument("--memory-mib", type=int, default=64)
    options.add_argument("--host", default="127.0.0.1", help="this machine's, as executors reach it")
    chosen = options.parse_args()
    bag = Bag([line.strip() for line in sys.stdin if line.strip()], seconds_max=60)
    Framework(chosen.address, chosen.token, chosen.name, chosen.executors, chosen.cpu_milli, chosen.memory_mib).run(
        bag, chosen.host)
    failed = [unit for unit, code in bag.codes.items() if code]
    print(f"{bag.count - len(failed)} of {bag.count} commands ended well", file=sys.stderr)
    sys.exit(1 if failed else 0)
