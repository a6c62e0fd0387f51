package dev.cella.cli.demo;

import dev.cella.cli.demo.DemoWatch.Reading;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.LostTask;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * One run, from the half-full cell to the checks: prints a line now and then, silences a machine on the way, and prints the
 * results at the end. The main thread runs it; {@link #interrupted} runs on the JVM's shutdown thread.
 */
final class DemoRun {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final DemoCell cell;
    private final DemoWatch watch;
    private final DemoReport report;
    private final InstantSource clock;
    private long conflictTold;
    private boolean silenced;
    private boolean lossTold;
    private boolean concluded;

    private DemoRun(DemoCell cell, DemoWatch watch, DemoReport report, InstantSource clock) {
        this.cell = cell;
        this.watch = watch;
        this.report = report;
        this.clock = clock;
    }

    /** Fills half of the cell, and begins to submit the schedulers' jobs. */
    static DemoRun begin(
            DemoCell cell,
            DemoWatch watch,
            DemoJobs jobs,
            DemoReport report,
            InstantSource clock,
            SplittableRandom random) {
        jobs.fillHalf(new Random(random.nextLong()));
        DemoScript.PLANNERS.forEach(planner -> jobs.begin(planner, random.split()));
        return new DemoRun(cell, watch, report, clock);
    }

    URI address() {
        return cell.address();
    }

    void play() throws InterruptedException {
        Instant start = clock.instant();
        report.begin(watch.read());
        Duration nextLine = DemoScript.LINE_EVERY;
        for (Duration at = Duration.ZERO; at.compareTo(DemoScript.LENGTH) < 0; at = since(start)) {
            Thread.sleep(LOOK_EVERY.toMillis());
            silenceMachine(since(start));
            tellLoss();
            if (since(start).compareTo(nextLine) >= 0) {
                printLine(nextLine);
                nextLine = nextLine.plus(DemoScript.LINE_EVERY);
            }
        }
        DemoWatch.Loss loss = watch.read().loss();
        if (!lossTold && loss.tasks() > 0) {
            report.machineLost(loss);
        }
    }

    private Duration since(Instant start) {
        return Duration.between(start, clock.instant());
    }

    /** Waits until the machine has something to lose: at first it may have no task. */
    private void silenceMachine(Duration at) {
        if (!silenced && at.compareTo(DemoScript.LOST_AFTER) >= 0 && watch.hasTasks(DemoScript.LOST_MACHINE)) {
            silenced = true;
            cell.loseMachine();
        }
    }

    private void tellLoss() {
        DemoWatch.Loss loss = watch.read().loss();
        if (!lossTold && loss.elsewhereAfterMillis().isPresent()) {
            lossTold = true;
            report.machineLost(loss);
        }
    }

    private synchronized void printLine(Duration at) {
        Reading reading = watch.read();
        report.line(
                at,
                reading,
                cell.contention().stream().mapToLong(Contention::claimsLost).sum());
        tellConflict();
    }

    /**
     * Prints one claim that was lost since the last line and whose task is placed by now, preferably the slowest scheduler's.
     */
    private void tellConflict() {
        List<LostClaim> lost = cell.lostClaims().stream()
                .filter(claim -> claim.getVersion() > conflictTold)
                .filter(claim -> claim.getOutcome() == LostTask.LOST_TASK_PLACED_ELSEWHERE && claim.hasWinner())
                .toList();
        lost.stream()
                .filter(claim -> claim.getLoser().getScheduler().equals(DemoScript.SLOWEST))
                .findFirst()
                .or(() -> lost.stream().findFirst())
                .ifPresent(report::conflict);
        conflictTold = lost.stream().mapToLong(LostClaim::getVersion).max().orElse(conflictTold);
    }

    /** Prints the tables, the conclusion and the checks. A failing check ends the demo. */
    void conclude() throws InterruptedException, IOException {
        List<Contention> contention = printTables();
        report.moral(contention);
        DemoWatch.Verdict verdict = watch.verdict();
        if (verdict.violation().isPresent()) {
            throw wrong(verdict.violation().get());
        }
        Optional<String> digest = cell.digest();
        if (digest.isEmpty()) {
            throw wrong("the store and the private replicas differ at one version");
        }
        report.checked(verdict, digest.get());
    }

    private static CommandFailure wrong(String what) {
        return CommandFailure.failed("the check found this: " + what, "this is a defect of Cella: please report it");
    }

    private synchronized List<Contention> printTables() {
        concluded = true;
        List<Contention> contention = cell.contention();
        report.tables(watch.read(), contention);
        return contention;
    }

    /** The process was told to leave: prints the tables so far, unless they were printed. */
    synchronized void interrupted() {
        if (!concluded) {
            printTables();
        }
    }
}
