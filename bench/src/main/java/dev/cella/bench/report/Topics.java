package dev.cella.bench.report;

import dev.cella.bench.report.GrowingPart.Growth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All topics of the page: their figures, with the commands that measure them and the finish lines. */
final class Topics {
    private static final String PER_SECOND = "placements/s";
    private static final String TASKS_PER_SECOND = "tasks/s";
    private static final String MICROS = "us";
    private static final String MILLIS = "ms";
    private static final String SECONDS = "s";
    private static final String TIMES = "times";
    private static final String MEBIBYTES = "MiB";
    private static final String MACHINES = "machines";
    private static final String TASKS = "tasks";

    static final List<Topic> ALL = List.of(
            commits(),
            rest(),
            failover(),
            running(),
            placing(),
            planning(),
            growth(),
            large(),
            feed(),
            start(),
            restart(),
            simulator(),
            trace(),
            sharing(),
            operating());

    private Topics() {}

    private static Topic commits() {
        RunSource runs = new RunSource(
                "cella bench commit --replicas 3 --rpc netty --seconds 20 --election-timeout 500ms",
                Map.of("replicas", "3", "rpc", "netty", "machines", "2000"));
        return new Topic(
                "Commits",
                PER_SECOND,
                List.of(
                        MeasuredRow.of("ten claims a transaction", runs, "batches.placementsPerSecond", PER_SECOND)
                                .with(Goal.atLeast(220_000).then(300_000)),
                        MeasuredRow.of(
                                "the same by ZooKeeper",
                                runs,
                                "peers[name=ZooKeeper].batches.placementsPerSecond",
                                PER_SECOND),
                        MeasuredRow.of(
                                "the same by etcd", runs, "peers[name=etcd].batches.placementsPerSecond", PER_SECOND),
                        MeasuredRow.of("one claim a transaction", runs, "singles.placementsPerSecond", PER_SECOND)
                                .with(Goal.atLeast(50_000)),
                        MeasuredRow.of(
                                "the same by ZooKeeper, one claim",
                                runs,
                                "peers[name=ZooKeeper].singles.placementsPerSecond",
                                PER_SECOND),
                        MeasuredRow.of(
                                "the same by etcd, one claim",
                                runs,
                                "peers[name=etcd].singles.placementsPerSecond",
                                PER_SECOND),
                        MeasuredRow.of(
                                        "CPU of the servers per claim at 10,000 placements/s",
                                        runs,
                                        "quiet.serverCpuMicrosPerClaim",
                                        MICROS)
                                .with(Goal.atMost(50).then(25)),
                        MeasuredRow.of("the same at full speed", runs, "batches.serverCpuMicrosPerClaim", MICROS),
                        MeasuredRow.of(
                                "the same at full speed, ZooKeeper",
                                runs,
                                "peers[name=ZooKeeper].batches.serverCpuMicrosPerClaim",
                                MICROS),
                        MeasuredRow.of(
                                "the same at full speed, etcd",
                                runs,
                                "peers[name=etcd].batches.serverCpuMicrosPerClaim",
                                MICROS),
                        MeasuredRow.of("p50 at 10,000 placements/s", runs, "quiet.p50Millis", MILLIS),
                        MeasuredRow.of("p99 at 10,000 placements/s", runs, "quiet.p99Millis", MILLIS),
                        MeasuredRow.of("a read at the leader, p50", runs, "reads.p50Millis", MILLIS),
                        MeasuredRow.of("a linearizable read, p50", runs, "reads.linearizableP50Millis", MILLIS)));
    }

    private static Topic rest() {
        RunSource runs = new RunSource(
                "cella bench rest --replicas 3 --rpc netty --seconds 120", Map.of("replicas", "3", "rpc", "netty"));
        return new Topic(
                "A cell at rest",
                "%",
                List.of(
                        MeasuredRow.of("a server, of a processor", runs, "resting.percent", "%")
                                .with(Goal.neverAbove(1)),
                        MeasuredRow.of("a server, memory", runs, "resting.mib", MEBIBYTES)));
    }

    private static Topic failover() {
        // Three runs make over 50 kills, 20 leaves and 1,000 pauses.
        RunSource quick = new RunSource(
                "cella bench failover --replicas 3 --rpc netty --kills 17 --leaves 7 --pauses 334 --election-timeout 500ms",
                Map.of("replicas", "3", "electionTimeout", "500ms", "pauses", "334"));
        RunSource usual = new RunSource(
                "cella bench failover --replicas 3 --rpc netty --kills 20",
                Map.of("replicas", "3", "electionTimeout", "1500ms"));
        return new Topic(
                "Leader killed",
                SECONDS,
                List.of(
                        MeasuredRow.of("commits again, election time-out 500 ms", quick, "failoverSeconds", SECONDS)
                                .with(Goal.neverAbove(1)),
                        MeasuredRow.of("commits again, default time-out", usual, "failoverSeconds", SECONDS)
                                .with(Goal.neverAbove(3)),
                        MeasuredRow.of(
                                        "a leader is asked to stop: longest transaction",
                                        quick,
                                        "handoverMillis",
                                        MILLIS)
                                .with(Goal.neverAbove(100)),
                        MeasuredRow.of("errors that users of the HTTP API see meanwhile", quick, "errors", "calls")
                                .with(Goal.neverAbove(0)),
                        MeasuredRow.of("elections because of 334 pauses of 300 ms", quick, "elections", TIMES)
                                .with(Goal.neverAbove(0))));
    }

    private static Topic running() {
        RunSource one = new RunSource(
                "cella bench run --machines 5000 --tasks 100000",
                Map.of("machines", "5000", "replicas", "1", "probes", "0"));
        RunSource three = new RunSource(
                "cella bench run --machines 5000 --tasks 100000 --replicas 3",
                Map.of("machines", "5000", "replicas", "3", "probes", "0"));
        RunSource real = new RunSource(
                "cella bench run --machines 0 --tasks 1000 --rounds 6", Map.of("machines", "0", "isolation", "none"));
        RunSource isolated = new RunSource(
                "cella bench run --machines 0 --tasks 1000 --rounds 6 --isolation full",
                Map.of("machines", "0", "isolation", "full"));
        return new Topic(
                "From submit to RUNNING",
                TASKS_PER_SECOND,
                List.of(
                        MeasuredRow.of("5,000 hollow machines, 1 replica", one, "runningPerSecond", TASKS_PER_SECOND)
                                .with(Goal.atLeast(20_000).then(30_000)),
                        MeasuredRow.of("5,000 hollow machines, 3 replicas", three, "runningPerSecond", TASKS_PER_SECOND)
                                .with(Goal.atLeast(12_000).then(30_000)),
                        MeasuredRow.of("processes", real, "runningPerSecond", TASKS_PER_SECOND)
                                .with(Goal.atLeast(200)),
                        MeasuredRow.of("isolated processes", isolated, "runningPerSecond", TASKS_PER_SECOND)
                                .with(Goal.atLeast(40)),
                        MeasuredRow.of("one task, idle, hollow, 1 replica, p50", one, "p50Millis", MILLIS)
                                .with(Goal.atMost(10)),
                        MeasuredRow.of("one task, idle, hollow, 3 replicas, p50", three, "p50Millis", MILLIS)
                                .with(Goal.atMost(25)),
                        MeasuredRow.of("one task, idle, a process, p50", real, "p50Millis", MILLIS)
                                .with(Goal.atMost(40)),
                        MeasuredRow.of("one task, idle, an isolated process, p50", isolated, "p50Millis", MILLIS)
                                .with(Goal.atMost(150))));
    }

    private static Topic placing() {
        RunSource runs = new RunSource(
                "cella bench place --replicas 3 --rpc netty --seconds 20",
                Map.of("replicas", "3", "schedulers", "3", "jobTasks", "1000", "machines", "2000"));
        return new Topic(
                "End to end, with scheduler processes",
                PER_SECOND,
                List.of(
                        MeasuredRow.of("jobs of 1,000 tasks", runs, "full.placementsPerSecond", PER_SECOND)
                                .with(Goal.atLeast(100_000).then(200_000)),
                        MeasuredRow.of("CPU per placement, all parts", runs, "full.cpuMicrosPerPlacement", MICROS),
                        MeasuredRow.of("the part of the leader", runs, "full.cpuMicrosByPart.leader", MICROS),
                        MeasuredRow.of("the part of the followers", runs, "full.cpuMicrosByPart.followers", MICROS),
                        MeasuredRow.of("the part of the schedulers", runs, "full.cpuMicrosByPart.schedulers", MICROS),
                        MeasuredRow.of("the part of the users", runs, "full.cpuMicrosByPart.users", MICROS),
                        MeasuredRow.of(
                                "a job of 100 tasks placed, at 10,000 tasks/s, p50", runs, "quiet.p50Millis", MILLIS),
                        MeasuredRow.of(
                                "a job of 100 tasks placed, at 10,000 tasks/s, p99", runs, "quiet.p99Millis", MILLIS)));
    }

    private static Topic planning() {
        RunSource runs = new RunSource("cella bench plan --machines 1000,10000,50000", Map.of());
        return new Topic(
                "Planning, one core",
                PER_SECOND,
                List.of(
                        MeasuredRow.of(
                                        "three constraints and a spread, 10,000 machines",
                                        runs,
                                        "placementsPerCpuSecond[machines=10000].constrained",
                                        PER_SECOND)
                                .with(Goal.atLeast(2_000_000)),
                        MeasuredRow.of(
                                "three constraints and a spread, 50,000 machines",
                                runs,
                                "placementsPerCpuSecond[machines=50000].constrained",
                                PER_SECOND),
                        MeasuredRow.of(
                                "no constraint, 10,000 machines",
                                runs,
                                "placementsPerCpuSecond[machines=10000].room",
                                PER_SECOND),
                        MeasuredRow.of(
                                "bare first fit over arrays, 10,000 machines: the bound",
                                runs,
                                "placementsPerCpuSecond[machines=10000].bare",
                                PER_SECOND),
                        MeasuredRow.of(
                                        "cost at 50,000 machines over cost at 1,000",
                                        runs,
                                        "placementsPerCpuSecond[machines=50000].constrainedMicros"
                                                + " / placementsPerCpuSecond[machines=1000].constrainedMicros",
                                        TIMES)
                                .with(Goal.atMost(2)),
                        MeasuredRow.of(
                                "a job explained among 1,000,000 tasks", runs, "explain.medianSeconds", SECONDS)));
    }

    private static Topic growth() {
        RunSource runs = new RunSource("cella bench growth", Map.of("command", "cella bench growth"));
        List<GrowingPart> parts = List.of(
                new GrowingPart("commit of a claim", "commit", Growth.HARDLY),
                new GrowingPart("a claim in a private copy", "feed", Growth.HARDLY),
                new GrowingPart("plan of a placement", "plan", Growth.HARDLY),
                new GrowingPart("a pending job explained", "explain", Growth.AS_THE_CELL),
                new GrowingPart("copies for lists", "lists", Growth.AS_THE_CELL),
                new GrowingPart("load of a checkpoint", "restart", Growth.AS_THE_CELL));
        List<MeasuredRow> rows = new ArrayList<>();
        parts.forEach(part -> rows.add(part.judged(runs, MACHINES)));
        parts.forEach(part -> rows.add(part.judged(runs, TASKS)));
        parts.forEach(part -> rows.add(part.cost(runs, MACHINES, 130_000)));
        parts.forEach(part -> rows.add(part.cost(runs, TASKS, 2_000_000)));
        return new Topic(
                "Growth with the cell",
                "exponent",
                rows,
                """
                The cost of a part in CPU time of one thread: cells of 1,000 to 130,000 machines with 100,000 tasks, and of 10,000 to
                2,000,000 tasks on 10,000 machines. It grows as the size to the power of the exponent.

                A commit, a claim in a private copy and a plan look at a fixed number of rows. A larger cell adds the depth of a tree (17
                levels in place of 10, an exponent of 0.11) and rows that the caches no longer hold: at most 0.2. The others may look at
                every row once: 1, and 0.1 for the caches. Their fixed cost hides growth in small cells, so they are judged between the
                two largest sizes, *at the end*.
                """,
                List.of(
                        growthCurves(runs, parts, MACHINES, "each cell runs 100,000 tasks"),
                        growthCurves(runs, parts, TASKS, "each cell has 10,000 machines")));
    }

    private static MeasuredCurves growthCurves(RunSource runs, List<GrowingPart> parts, String size, String others) {
        return new MeasuredCurves(
                "growth-by-" + size + ".svg",
                "Cost by the number of " + size + ", with each exponent",
                size + " (" + others + ")",
                "CPU time, us",
                new RunPath(size + "." + size),
                parts.stream().map(part -> part.curve(runs, size)).toList());
    }

    private static Topic large() {
        RunSource runs = new RunSource(
                "cella bench place --replicas 3 --rpc netty --machines 130000 --schedulers 4 --seconds 600",
                Map.of("machines", "130000", "replicas", "3", "schedulers", "4"));
        return new Topic(
                "130,000 machines without agents, four schedulers",
                PER_SECOND,
                List.of(
                        MeasuredRow.of("jobs of 1,000 tasks", runs, "full.placementsPerSecond", PER_SECOND)
                                .with(Goal.atLeast(50_000)),
                        MeasuredRow.of(
                                        "a job of 100 tasks placed, at 10,000 tasks/s, p99",
                                        runs,
                                        "quiet.p99Millis",
                                        MILLIS)
                                .with(Goal.atMost(100)),
                        MeasuredRow.of("memory of the leader, full speed", runs, "full.mibByPart.leader", MEBIBYTES),
                        MeasuredRow.of("memory of a follower, full speed", runs, "full.mibByPart.follower", MEBIBYTES),
                        MeasuredRow.of(
                                "memory of a scheduler, full speed", runs, "full.mibByPart.scheduler", MEBIBYTES)));
    }

    private static Topic feed() {
        RunSource runs = new RunSource("cella bench feed --seconds 20", Map.of("replicas", "4"));
        return new Topic(
                "From the commit to four private replicas",
                MILLIS,
                List.of(
                        MeasuredRow.of("25,000 claims/s, p50", runs, "p50Millis", MILLIS)
                                .with(Goal.atMost(1)),
                        MeasuredRow.of("25,000 claims/s, p99", runs, "p99Millis", MILLIS)
                                .with(Goal.atMost(10))));
    }

    private static Topic start() {
        RunSource one = new RunSource("cella bench start --times 5", Map.of("replicas", "1"));
        RunSource three = new RunSource("cella bench start --replicas 3 --times 5", Map.of("replicas", "3"));
        return new Topic(
                "Until cella dev is ready",
                SECONDS,
                List.of(
                        MeasuredRow.of("a new cell, 1 replica", one, "starts.newSeconds", SECONDS)
                                .with(Goal.atMost(3)),
                        MeasuredRow.of("the same again, 1 replica", one, "starts.againSeconds", SECONDS),
                        MeasuredRow.of("a new cell, 3 replicas", three, "starts.newSeconds", SECONDS)
                                .with(Goal.atMost(8)),
                        MeasuredRow.of("the same again, 3 replicas", three, "starts.againSeconds", SECONDS)));
    }

    private static Topic restart() {
        RunSource runs = new RunSource(
                "cella bench restart --machines 5000 --tasks 300000", Map.of("machines", "5000", "tasks", "300000"));
        return new Topic(
                "Restart with 300,000 live tasks in the log's tail",
                SECONDS,
                List.of(
                        MeasuredRow.of("until it answers", runs, "restarts.seconds", SECONDS)
                                .with(Goal.atMost(1.5)),
                        MeasuredRow.of("the part of the JVM and its classes", runs, "restarts.processSeconds", SECONDS),
                        MeasuredRow.of("the part of the checkpoint", runs, "restarts.checkpointSeconds", SECONDS),
                        MeasuredRow.of("the part of opening the log", runs, "restarts.logSeconds", SECONDS),
                        MeasuredRow.of("the part of the election", runs, "restarts.electionSeconds", SECONDS),
                        MeasuredRow.of("the part of the replay", runs, "restarts.replaySeconds", SECONDS),
                        MeasuredRow.of("the part of the doors", runs, "restarts.doorsSeconds", SECONDS)));
    }

    private static Topic simulator() {
        String perCpuSecond = "placements/CPU-second";
        RunSource replicated =
                new RunSource("cella bench simulator --days 7 --rounds 4", Map.of("architecture", "replicated"));
        RunSource offers = new RunSource(
                "cella bench simulator --architecture offers --days 7 --rounds 4", Map.of("architecture", "offers"));
        return new Topic(
                "Simulator, cell A",
                perCpuSecond,
                List.of(
                        MeasuredRow.of("replicated, warm", replicated, "placementsPerCpuSecond[1:]", perCpuSecond)
                                .with(Goal.atLeast(2_190_000).then(4_380_000)),
                        MeasuredRow.of(
                                        "replicated, a JVM's first round",
                                        replicated,
                                        "placementsPerCpuSecond[0]",
                                        perCpuSecond)
                                .with(Goal.atLeast(2_190_000)),
                        MeasuredRow.of(
                                "Google's simulator, replicated",
                                replicated,
                                "googlePlacementsPerCpuSecond",
                                perCpuSecond),
                        MeasuredRow.of("offers, warm", offers, "placementsPerCpuSecond[1:]", perCpuSecond),
                        MeasuredRow.of(
                                "Google's simulator, offers", offers, "googlePlacementsPerCpuSecond", perCpuSecond)));
    }

    private static Topic trace() {
        RunSource runs = new RunSource(
                "cella bench trace",
                Map.of("machines", "50000", "tasks", "312000", "load", "0.01", "seed", "1", "complete", "true"));
        return new Topic(
                "A trace of 312,000 tasks on 50,000 workers",
                SECONDS,
                List.of(
                        MeasuredRow.of("all architectures", runs, "seconds", SECONDS)
                                .with(Goal.atMost(90).then(45)),
                        MeasuredRow.of("the same, CPU of the process", runs, "cpuSeconds", SECONDS),
                        MeasuredRow.of("replicated", runs, "architectures[name=replicated].seconds", SECONDS)
                                .with(Goal.atMost(10)),
                        MeasuredRow.of("monolithic", runs, "architectures[name=monolithic].seconds", SECONDS),
                        MeasuredRow.of("fair", runs, "architectures[name=fair].seconds", SECONDS),
                        MeasuredRow.of("apollo", runs, "architectures[name=apollo].seconds", SECONDS),
                        MeasuredRow.of("sparrow", runs, "architectures[name=sparrow].seconds", SECONDS),
                        MeasuredRow.of("megha", runs, "architectures[name=megha].seconds", SECONDS),
                        MeasuredRow.of(
                                "replicated, CPU per task",
                                runs,
                                "architectures[name=replicated].cpuMicrosPerTask",
                                MICROS)));
    }

    private static Topic sharing() {
        RunSource runs = new RunSource("cella bench sharing --rounds 30", Map.of());
        return new Topic(
                "Sharing out a whole cell",
                SECONDS,
                List.of(
                        MeasuredRow.of(
                                "offers of 10,000 machines to 1,000 frameworks (Mesos: 1.06)",
                                runs,
                                "offers.cpuSecondsBest",
                                SECONDS),
                        MeasuredRow.of(
                                "fair shares, 2,500 machines (Hadoop: 3,200)",
                                runs,
                                "fair.itemsPerCpuSecond",
                                "tasks/CPU-second")));
    }

    private static Topic operating() {
        RunSource operate = RunSource.asTyped("cella bench operate --replicas 3 --tasks 1000000");
        RunSource closed = RunSource.asTyped("cella bench closed --seconds 10");
        RunSource clients = new RunSource(
                "cella bench clients --connections 10000 --watchers 1000",
                Map.of("connections", "10000", "watchers", "1000"));
        RunSource hostile = new RunSource("cella bench hostile", Map.of("requests", "500"));
        RunSource record = RunSource.asTyped("cella bench record");
        return new Topic(
                "An operator's work",
                SECONDS,
                List.of(
                        MeasuredRow.of("a backup of 1,000,000 live tasks", operate, "backups.seconds", SECONDS)
                                .with(Goal.atMost(10)),
                        MeasuredRow.of("commits pause meanwhile", operate, "backups.pauseMillis", MILLIS)
                                .with(Goal.neverAbove(100)),
                        MeasuredRow.of("a replaced replica serves", operate, "replacements.seconds", SECONDS)
                                .with(Goal.atMost(30)),
                        MeasuredRow.of("TLS and tokens take of the placements/s", closed, "costInPlacements", "part")
                                .with(Goal.atMost(0.2)),
                        MeasuredRow.of("10,000 connections, 1,000 watchers", clients, "mibMax", MEBIBYTES)
                                .with(Goal.atMost(1_536)),
                        MeasuredRow.of(
                                        "p99 beside 500 hostile requests over p99 alone",
                                        hostile,
                                        "turns[hostile=true].p99Millis / turns[hostile=false].p99Millis",
                                        TIMES)
                                .with(Goal.atMost(2)),
                        MeasuredRow.of(
                                "the record of conflicts, CPU per claim", record, "recordCpuMicrosPerClaim", MICROS)));
    }
}
