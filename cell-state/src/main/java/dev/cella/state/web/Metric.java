package dev.cella.state.web;

/** The metrics of this server, each with a description. */
enum Metric {
    CELL_VERSION("cella.cell.version", "How many commands the cell has decided since it was founded."),
    CELL_LEADS("cella.cell.leads", "1 while this replica leads the cell and can decide, else 0."),
    MACHINES("cella.machines", "Machines of the cell, by status."),
    TASKS("cella.tasks", "Tasks of the cell, by the state of their newest attempt."),
    SPARE_TASKS(
            "cella.tasks.spare",
            "Tasks on machines that are spare work, which ends first when other work needs the room."),
    USED_CPU("cella.tasks.cpu.used", "Cores that measured tasks use, the sum; 0 on a replica that does not lead."),
    ASKED_CPU("cella.tasks.cpu.asked", "Cores that the measured tasks asked for, the sum."),
    USED_MEMORY("cella.tasks.memory.used.mib", "MiB of memory that measured tasks use, the sum."),
    ASKED_MEMORY("cella.tasks.memory.asked.mib", "MiB of memory that the measured tasks asked for, the sum."),
    USED_DISK("cella.tasks.disk.used.mib", "MiB in the work directories of measured tasks, the sum."),
    OUTPUT_RATE("cella.tasks.output.bytes.per.second", "What measured tasks print, in bytes a second, the sum."),
    DISAGREEMENTS(
            "cella.agent.disagreements",
            "Placed attempts that an agent refused since the start because they do not fit its machine; must be 0."),
    TASKS_VISITED("cella.lists.tasks.visited", "Tasks that lists of tasks looked at since the start."),
    SESSIONS("cella.sessions", "Open sessions of schedulers."),
    DIGEST("cella.cell.digest", "The lowest 48 bits of each table's digest, equal on replicas at one version."),
    ANSWERS("cella.answers", "Requests that were answered since the start, over HTTP and gRPC, by HTTP status."),
    TRANSACTIONS("cella.transactions", "Transactions decided since the start, by verdict; repeated ones are not."),
    ITEMS_ACCEPTED("cella.items.accepted", "Claims, evictions and holds that were accepted since the start."),
    CONFLICTS("cella.conflicts", "Items refused since the start because another transaction was first, by reason."),
    REFUSALS("cella.refusals", "Items refused since the start for other reasons than a conflict, by reason."),
    SCHEDULER_TRANSACTIONS(
            "cella.scheduler.transactions",
            "Transactions of each scheduler, by result; conflicted over successful is its conflict fraction."),
    SCHEDULER_CLAIMS("cella.scheduler.claims", "Claims of each scheduler, by result."),
    SCHEDULER_INSTANCES(
            "cella.scheduler.instances",
            "Open sessions of each scheduler that has one, or has a job that has not ended."),
    SCHEDULER_PAUSED("cella.scheduler.paused", "1 while the scheduler is paused by an operator, else 0."),
    SCHEDULER_BUSY(
            "cella.scheduler.busy.fraction",
            "Part of its time since it began that a scheduler planned or committed, as its instances say, their mean."),
    SCHEDULER_WASTED(
            "cella.scheduler.wasted.busy.fraction",
            "Part of its time that a scheduler planned what then lost a claim to another, as its instances say."),
    SCHEDULER_QUEUE("cella.scheduler.queue.length", "Jobs that wait for their turn, as the scheduler's instances say."),
    SCHEDULER_PLANS_FAILED(
            "cella.scheduler.plans.failed",
            "Plans since it began that ended in a failure of the planner or took too long, as the instances say."),
    SCHEDULER_LAG(
            "cella.scheduler.lag.versions",
            "Versions that the private replica of the scheduler was behind when it said something last, the worst."),
    LEDGER(
            "cella.conflicts.ledger",
            "Lost claims in the ledger, which keeps about a million within a bound of bytes and drops the oldest first."),
    COMMANDS("cella.commands", "Commands applied since the start; over the log's entries it is how many share one."),
    LOG_ENTRIES("cella.log.entries", "Entries of the log applied since the start."),
    LOG_BYTES("cella.log.bytes", "Bytes of the log applied since the start."),
    LOG_BEHIND("cella.log.behind", "Entries that are committed and not applied on this replica yet."),
    LOG_ROUNDS("cella.log.rounds", "Entries that this replica proposed and that were applied here since the start."),
    LOG_ROUND_TIME(
            "cella.log.round.seconds",
            "Time from proposing an entry until it was applied here, over all rounds: appended, synced, replicated,"
                    + " applied."),
    LOG_FSYNCS("cella.log.fsyncs", "How often the log was brought to the disk since the start; entries share one."),
    LOG_FSYNC_TIME("cella.log.fsync.seconds", "Time to sync the log to the disk in the last minutes, by quantile."),
    APPLY_TIME("cella.apply.seconds", "Time that applying entries has taken since the start."),
    CHECKPOINTS("cella.checkpoints", "Checkpoints written since the start."),
    CHECKPOINT_TIME("cella.checkpoint.seconds", "Time that writing checkpoints has taken, behind the apply."),
    CHECKPOINT_BYTES(
            "cella.checkpoint.bytes", "Bytes of changed pages of the tables written into checkpoints since the start."),
    CHECKPOINT_STALL("cella.checkpoint.stall.seconds", "Time for which sealing checkpoints has held up the apply."),
    START_TIME(
            "cella.start.seconds",
            "How long the start took until this replica led for the first time, by part: process, checkpoint, log,"
                    + " election, replay."),
    FEED_READERS("cella.feed.readers", "Readers of the feed: private replicas, agents, and one for all of HTTP."),
    FEED_LAG("cella.feed.lag.versions", "Versions that the slowest reader of the feed has not been given yet."),
    FEED_KEPT("cella.feed.kept.bytes", "Bytes of changes kept for readers that come back or are slow."),
    FEED_RESYNCS("cella.feed.resyncs", "Readers of the feed that were told to start again since the start."),
    LANE_WAITING("cella.lane.waiting.bytes", "Bytes of commands that wait to be proposed, by lane."),
    LANE_FULL("cella.lane.full", "Commands refused since the start because their lane was full, by lane."),
    SPECIFICATIONS(
            "cella.specification.bytes",
            "Bytes of the specifications of all jobs, also of those that have ended; each replica has them in memory."),
    SPECIFICATIONS_MAX(
            "cella.specification.max.bytes",
            "Bytes of specifications that there is room for; a job that needs more is refused."),
    CERTIFICATE_EXPIRES(
            "cella.certificate.expires.seconds",
            "When this server's certificate expires, in seconds since 1970; NaN if it has none."),
    HEAP_LIVE("cella.heap.live.bytes", "Heap that was in use after the last collection.");

    private final String id;
    private final String sentence;

    Metric(String id, String sentence) {
        this.id = id;
        this.sentence = sentence;
    }

    /** The name in Micrometer's form; Prometheus shows {@code _} for each dot. */
    String id() {
        return id;
    }

    String sentence() {
        return sentence;
    }
}
