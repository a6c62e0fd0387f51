#!/usr/bin/env python3
"""A scheduler that speaks nothing but HTTP, in any language's standard library; here Python's.

    cella dev                                                # a cell, in another terminal
    export CELLA_TOKEN=$(cat ~/.local/share/cella/dev/token) # that cell's
    python3 examples/http-scheduler.py --name mine           # then a job that says "scheduler: mine"

It does what every scheduler of Cella does. It watches the feed, and so keeps a copy of the cell's machines and of its own
jobs. It decides on that copy: each task goes to the machine that it fills best, of a few drawn at random. And it commits
what it decided in a transaction, which says the version that the copy showed. Whoever was first has won; what conflicts is
planned again when the feed has shown why. A task that failed or was lost starts again by a "step" in a transaction.
"""
import argparse, json, os, random, sys, time, urllib.error, urllib.parse, urllib.request

LEASE_SECONDS = 15
DRAWS = 4
RETRY_SECONDS = 1


class Cell:
    """The calls, as docs/http.md has them."""

    def __init__(self, address, token):
        self.address = address
        self.token = {"Authorization": f"Bearer {token}"} if token else {}

    def call(self, method, path, body=None):
        """Sent again while no leader answers: every call here may be repeated, a transaction because of its id."""
        data = None if body is None else json.dumps(body).encode()
        headers = self.token | ({"Content-Type": "application/json"} if data else {})
        while True:
            try:
                request = urllib.request.Request(self.address + path, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                problem = json.load(refused)
                if refused.code != 503:
                    sys.exit(f"error: {problem['detail']}\nhint:  {problem.get('hint', 'see docs/http.md')}")
            except OSError as unreachable:
                print(f"no answer ({unreachable}), trying again", file=sys.stderr)
            time.sleep(0.5)

    def feed(self):
        """Events of the feed for ever, each a word and its data; a connection that ends is taken up where it was."""
        last = None
        while True:
            try:
                headers = self.token | ({"Last-Event-ID": last} if last else {})
                request = urllib.request.Request(self.address + "/v1/feed", headers=headers)
                with urllib.request.urlopen(request, timeout=30) as lines:
                    event = {}
                    for line in lines:
                        field, _, value = line.decode().rstrip("\n").partition(": ")
                        if field:
                            event[field] = value
                        elif event:
                            last = event.get("id", last)
                            yield event.get("event"), json.loads(event.get("data", "{}"))
                            event = {}
            except OSError as broken:
                print(f"the feed broke off ({broken}), trying again", file=sys.stderr)
            time.sleep(0.5)


class Scheduler:
    def __init__(self, cell, name, instance):
        self.cell, self.name, self.instance = cell, name, instance
        self.session_path = f"/v1/schedulers/{name}/sessions/{instance}"
        self.session = cell.call("PUT", self.session_path, {"type": "http", "lease": f"{LEASE_SECONDS}s"})["session"]
        self.renewed = time.monotonic()
        self.machines, self.jobs, self.ended = {}, {}, {}  # rows by name, as the feed has shown them
        self.version = 0  # of the copy
        self.plan_from = 0  # not before the copy shows what the last transaction ran into
        self.transactions = 0

    # ---- watch

    def run(self):
        snapshot_begins = True
        for event, data in self.cell.feed():
            self.renew()
            if event in ("snapshot", "change"):
                if event == "snapshot" and snapshot_begins:
                    self.machines, self.jobs, self.ended = {}, {}, {}
                snapshot_begins = event == "change" or data["last"]
                self.take(data["changes"])
            if event != "resync" and snapshot_begins:
                self.version = data["version"]
                self.schedule()

    def take(self, changes):
        for change in changes:
            rows = {"MACHINE": self.machines, "JOB": self.jobs}.get(change["kind"], {})
            rows.pop(change["name"], None)
            if "row" in change and change["row"].get("scheduler", self.name) == self.name:
                rows[change["name"]] = change["row"]
                if change["kind"] == "TASK" and change["row"]["state"] in ("FAILED", "LOST", "PREEMPTED"):
                    self.ended[change["name"]] = (change["row"]["attempt"], time.monotonic() + RETRY_SECONDS)

    def renew(self):
        """The feed says something every five seconds, if only that it is there. Taken over, this ends the program."""
        if time.monotonic() - self.renewed > LEASE_SECONDS / 3:
            self.cell.call("PUT", self.session_path, {"session": self.session, "lease": f"{LEASE_SECONDS}s"})
            self.renewed = time.monotonic()

    # ---- decide

    def schedule(self):
        self.start_again()
        if self.version >= self.plan_from and any(row["tasks"]["pending"] for row in self.jobs.values()):
            free = {name: dict(row["free"]) for name, row in self.machines.items() if row["status"] == "READY"}
            for job in self.pending():
                claims = self.plan(job, free)
                if claims:
                    self.commit(job, claims)

    def start_again(self):
        """One transaction for all that are due. A step that is refused is not asked for again: the job allows no more."""
        due = [name for name, (_, at) in self.ended.items() if at <= time.monotonic()]
        if due:
            steps = [{"task": name, "kind": "AGAIN", "attempt": self.ended.pop(name)[0]} for name in due]
            self.post({"steps": steps})

    def pending(self):
        """The jobs that fall to this instance: others of its name have the rest, and while it is paused there are none."""
        query = urllib.parse.urlencode({"scheduler": self.name, "pendingFor": self.instance, "limit": 1000})
        return [row["name"] for row in self.cell.call("GET", "/v1/jobs?" + query)["jobs"] if row["name"] in self.jobs]

    def plan(self, job, free):
        query = urllib.parse.urlencode({"job": job, "state": "PENDING", "limit": 1000})
        claims = []
        for task in self.cell.call("GET", "/v1/tasks?" + query)["tasks"]:
            asked = task["resources"]
            fitting = [name for name, has in free.items() if all(has.get(d, 0) >= n for d, n in asked.items())]
            if fitting:
                drawn = random.sample(fitting, min(DRAWS, len(fitting)))
                machine = min(drawn, key=lambda name: (free[name]["cpuMilli"], name))
                for dimension, amount in asked.items():
                    free[machine][dimension] = free[machine].get(dimension, 0) - amount
                claims.append({"task": task["task"], "machine": machine})
        return claims

    # ---- commit

    def commit(self, job, claims):
        outcome = self.post({"basis": self.version, "seesOwn": True, "claims": claims})
        self.plan_from = outcome["syncVersion"]
        lost = [each for each in outcome["results"] if not each["accepted"]]
        print(f"{job}: {len(claims) - len(lost)} placed, {len(lost)} refused, planned at {self.version}", flush=True)
        for each in lost:
            winner = each.get("winner", {}).get("scheduler", "nobody")
            print(f"  {each['task']} on {each['machine']}: {each.get('reason')}, won by {winner}", flush=True)

    def post(self, items):
        self.transactions += 1
        outcome = self.cell.call("POST", "/v1/transactions", {
            "id": f"{self.name}-{self.session}-{self.transactions}", "scheduler": self.name,
            "session": self.session, **items})
        if outcome.get("reason") == "FENCED":
            sys.exit("error: another instance has taken over")
        return outcome


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="A scheduler over HTTP.")
    options.add_argument("--address", default="http://127.0.0.1:7070")
    options.add_argument("--token", default=os.environ.get("CELLA_TOKEN"), help="of scope schedule:NAME (CELLA_TOKEN)")
    options.add_argument("--name", default="mine", help="as jobs say it")
    options.add_argument("--instance", default="0")
    chosen = options.parse_args()
    Scheduler(Cell(chosen.address, chosen.token), chosen.name, chosen.instance).run()
