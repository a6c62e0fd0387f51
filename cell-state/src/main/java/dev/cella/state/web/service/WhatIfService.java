package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.proto.ConflictServiceGrpc;
import dev.cella.client.proto.ReplayConflictsRequest;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.WhatIf;
import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.conflicts.ConflictSummary;
import dev.cella.state.conflicts.LedgerFilter;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.history.HistoryStep;
import dev.cella.state.history.Span;
import dev.cella.state.history.WindowRecorder;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.ReplayedCounts;
import dev.cella.transactions.replay.ReplayedScheduler;
import dev.cella.transactions.replay.WindowReplay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What if a scheduler had other settings? The last minutes of the record are decided again, once as they were and once with
 * the change, by the replay that the process has plugged in.
 *
 * <p>One question at a time, on a thread of its own: a replay takes a processor for seconds.
 */
final class WhatIfService {
    private static final Duration WINDOW_DEFAULT = Duration.ofMinutes(5);
    private static final int STEPS_MAX = 60_000;
    private static final int SEEDS = 3;
    private static final long THREAD_IDLE_SECONDS = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Stands for a scheduler whose own type this process does not have. */
    private static final String TYPE_DEFAULT = "batch";

    private final Replica replica;
    private final Reads reads;
    private final SchedulerReports reports;
    private final Time time;
    private final Optional<WindowReplay> replay;
    private final Executor replays;

    WhatIfService(Replica replica, Reads reads, SchedulerReports reports, Time time, Optional<WindowReplay> replay) {
        this.replica = replica;
        this.reads = reads;
        this.reports = reports;
        this.time = time;
        this.replay = replay;
        this.replays = new ThreadPoolExecutor(
                0, 1, THREAD_IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), WhatIfService::thread);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "what-if");
        thread.setDaemon(true);
        return thread;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(new UnaryMethod<>(ConflictServiceGrpc.getReplayConflictsMethod(), this::replay));
    }

    private CompletableFuture<Answer<WhatIf>> replay(ReplayConflictsRequest request) {
        WindowReplay player = replay.orElseThrow(() -> Problem.notFound("This server was started without a simulator")
                .withHint("cella server, cella dev and cella demo have one"));
        long length = window(request).toMillis();
        SortedMap<String, String> options = options(request.getOptions());
        return reads.reach(Freshness.of(request)).thenCompose(reached -> {
            try {
                return CompletableFuture.supplyAsync(
                        () -> Answer.ok(answer(request, player, time.wallMillis() - length, options)), replays);
            } catch (RejectedExecutionException busy) {
                throw Problem.overloaded("Another window is being replayed")
                        .withHint("one at a time: ask again in a few seconds")
                        .withRetryAfter(Duration.ofSeconds(2));
            }
        });
    }

    private static Duration window(ReplayConflictsRequest request) {
        if (!request.hasWindow()) {
            return WINDOW_DEFAULT;
        }
        Duration window = Requests.duration("window", request.getWindow());
        if (window.isZero() || window.compareTo(ConflictLog.WINDOW_MAX) > 0) {
            throw Requests.bad("window", "must be above 0 and at most " + ConflictLog.WINDOW_MAX.toMinutes() + "m");
        }
        return window;
    }

    private static SortedMap<String, String> options(String text) {
        SortedMap<String, String> options = new TreeMap<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw Requests.bad("options", "are NAME=VALUE, separated by commas, not " + each);
            }
            options.put(
                    each.substring(0, equals).strip(),
                    each.substring(equals + 1).strip());
        }
        return options;
    }

    private WhatIf answer(
            ReplayConflictsRequest request, WindowReplay player, long wanted, SortedMap<String, String> options) {
        long now = time.wallMillis();
        List<HistoryStep> steps =
                replica.history().steps(Optional.empty(), Optional.empty(), Span.since(wanted), STEPS_MAX);
        boolean isShortened = steps.size() == STEPS_MAX;
        long from = steps.isEmpty() ? wanted : Math.max(wanted, steps.get(0).atMillis());
        double millisPerVersion = steps.isEmpty() ? 0 : (now - from) / versionsSince(steps.get(0));
        ConflictSummary summary = replica.conflicts().summary(all(Span.since(from)), Optional.empty());
        WhatIfReport report = new WhatIfReport(from, now);
        if (isShortened) {
            report.shortened(STEPS_MAX);
        }
        RecordedWindow window = replica.read(view -> {
            WindowRecorder recorder = new WindowRecorder(view, from, now, steps);
            RecordedWindow recorded = recorder.record();
            report.leftOut(recorder.tasksLeftOut());
            return recorded;
        });
        List<ReplayedScheduler> schedulers = asTheyWere(window, summary, millisPerVersion, player, report);
        List<ReplayedScheduler> changed = change(request, schedulers, options, report);
        report.happened(window, schedulers, summary);
        for (long seed = 1; seed <= SEEDS; seed++) {
            report.replayed(replayed(player, window, schedulers, seed));
            report.changed(replayed(player, window, changed, seed));
        }
        return report.message(replica.version().number());
    }

    private double versionsSince(HistoryStep step) {
        return (double) Math.max(1, replica.version().number() - step.version());
    }

    private static List<ReplayedCounts> replayed(
            WindowReplay player, RecordedWindow window, List<ReplayedScheduler> schedulers, long seed) {
        try {
            return player.replay(window, schedulers, seed);
        } catch (IllegalArgumentException impossible) {
            throw Problem.badRequest(String.valueOf(impossible.getMessage()));
        }
    }

    // ---- the schedulers as they were

    /** Every scheduler whose jobs waited for a place in the window. */
    private List<ReplayedScheduler> asTheyWere(
            RecordedWindow window,
            ConflictSummary summary,
            double millisPerVersion,
            WindowReplay player,
            WhatIfReport report) {
        TreeSet<String> names = new TreeSet<>();
        window.arrivals().forEach(job -> names.add(job.header().scheduler()));
        List<ReplayedScheduler> schedulers = new ArrayList<>();
        for (String name : names) {
            List<SessionRow> sessions = replica.read(view -> sessions(view, name));
            String type = sessions.isEmpty() ? "" : sessions.get(0).type();
            if (!player.types().contains(type)) {
                report.unknownType(name, type);
                type = TYPE_DEFAULT;
            }
            OptionalLong decision = decisionNanos(sessions);
            if (decision.isEmpty()) {
                report.noDecisionTime(name);
            }
            double age = summary.schedulers().stream()
                    .filter(row -> row.name().equals(name))
                    .flatMap(row -> row.stalenessVersionsMedian().stream().boxed())
                    .mapToDouble(versions -> versions * millisPerVersion * NANOS_PER_MILLI)
                    .findFirst()
                    .orElse(0);
            long decisionNanos = decision.orElse(0);
            schedulers.add(ReplayedScheduler.of(
                    name,
                    type,
                    Math.min(ReplayedScheduler.INSTANCES_MAX, Math.max(1, sessions.size())),
                    decisionNanos,
                    Math.max(0, Math.round(age) - decisionNanos)));
        }
        return schedulers;
    }

    private static List<SessionRow> sessions(CellView view, String scheduler) {
        return view.sessions().stream()
                .filter(session -> session.scheduler().equals(scheduler))
                .toList();
    }

    /** The mean over the plans that its instances report. */
    private OptionalLong decisionNanos(List<SessionRow> sessions) {
        long nanos = 0;
        long plans = 0;
        for (SessionRow session : sessions) {
            SchedulerReport report = reports.find(session.id())
                    .map(SchedulerReports.Said::report)
                    .orElse(SchedulerReport.getDefaultInstance());
            nanos += Durations.toNanos(report.getPlanning());
            plans += report.getPlans();
        }
        return plans == 0 ? OptionalLong.empty() : OptionalLong.of(nanos / plans);
    }

    // ---- the change

    private static List<ReplayedScheduler> change(
            ReplayConflictsRequest request,
            List<ReplayedScheduler> schedulers,
            SortedMap<String, String> options,
            WhatIfReport report) {
        List<String> names = schedulers.stream().map(ReplayedScheduler::name).toList();
        if (request.hasScheduler() && !names.contains(request.getScheduler())) {
            throw Requests.bad(
                    "scheduler",
                    names.isEmpty()
                            ? "no job of any scheduler waited for a place in this window"
                            : "placed nothing in this window; those that did are " + String.join(", ", names));
        }
        report.change(words(request, options), request.hasScheduler() ? request.getScheduler() : "every scheduler");
        return schedulers.stream()
                .map(each -> !request.hasScheduler() || each.name().equals(request.getScheduler())
                        ? Requests.checked("instances", () -> changed(each, request, options))
                        : each)
                .toList();
    }

    private static ReplayedScheduler changed(
            ReplayedScheduler as, ReplayConflictsRequest request, SortedMap<String, String> options) {
        ReplayedScheduler changed = as;
        if (request.hasType()) {
            changed = changed.withType(request.getType());
        }
        if (request.hasInstances()) {
            changed = changed.withInstances(request.getInstances());
        }
        if (request.hasDecisionTime()) {
            changed = changed.withDecisionNanos(
                    Requests.duration("decisionTime", request.getDecisionTime()).toNanos());
        }
        Optional<ConflictRule> rule = WireWords.of(request.getConflictRule());
        Optional<Atomicity> atomicity = WireWords.of(request.getAtomicity());
        changed = rule.isPresent() ? changed.withConflictRule(rule.get()) : changed;
        changed = atomicity.isPresent() ? changed.withAtomicity(atomicity.get()) : changed;
        return options.isEmpty() ? changed : changed.withOptions(options);
    }

    private static List<String> words(ReplayConflictsRequest request, SortedMap<String, String> options) {
        List<String> words = new ArrayList<>();
        WireWords.of(request.getConflictRule()).ifPresent(rule -> words.add("conflictRule " + rule));
        WireWords.of(request.getAtomicity()).ifPresent(atomicity -> words.add("atomicity " + atomicity));
        if (request.hasInstances()) {
            words.add("instances " + request.getInstances());
        }
        if (request.hasType()) {
            words.add("type " + request.getType());
        }
        if (request.hasDecisionTime()) {
            words.add("decisionTime " + Durations.toMillis(request.getDecisionTime()) + " ms");
        }
        options.forEach((name, value) -> words.add(name + " " + value));
        return words;
    }

    private static LedgerFilter all(Span span) {
        return new LedgerFilter(
                span,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
