package dev.cella.cli.demo;

import dev.cella.cli.demo.DemoWatch.Reading;
import dev.cella.cli.terminal.Screen;
import dev.cella.cli.terminal.Screen.Style;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.LostClaim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What the demo prints: the same lines on a terminal and in a pipe, but for colours and the bar where there is room. */
final class DemoReport {
    private static final int BAR_CELLS = 15;
    private static final int COLUMNS_WITH_BAR = 84;

    private final Terminal terminal;
    private final Screen screen;
    private long placedBefore;
    private Duration printedAt = Duration.ZERO;

    DemoReport(Terminal terminal, Screen screen) {
        this.terminal = terminal;
        this.screen = screen;
    }

    private void print(String format, Object... values) {
        terminal.print(String.format(Locale.ENGLISH, format, values).stripTrailing());
        terminal.out().flush();
    }

    void header(long seed, String address, Path data, boolean keep) {
        print(
                "%s   %d hollow machines (%d cores, %d GiB), half full, %d schedulers, %d s, seed %d",
                screen.styled(Style.BOLD, "cella demo"),
                DemoScript.MACHINES,
                DemoScript.CAPACITY.cpuMilli() / 1000,
                DemoScript.CAPACITY.memoryMib() / 1024,
                DemoScript.PLANNERS.size(),
                DemoScript.LENGTH.toSeconds(),
                seed);
        print("  cell        %s   dashboard at the same address", address);
        print("  store       1 replica, Raft log with fsync, %s%s", data, keep ? "" : " (removed at the end)");
        DemoScript.PLANNERS.forEach(this::describe);
    }

    private void describe(DemoScript.Planner planner) {
        print(
                "  %-11s %-9s %-15s %-9s thinks %-22s (injected)",
                planner.name(),
                planner.kind(),
                planner.atomicity().name().replace("ATOMICITY_", ""),
                planner.conflictRule().name().replace("CONFLICT_RULE_", ""),
                thinks(planner));
    }

    private static String thinks(DemoScript.Planner planner) {
        return milliseconds(planner.thinks().perJobNanos()) + " + "
                + milliseconds(planner.thinks().perTaskNanos()) + " a task";
    }

    private static String milliseconds(long nanos) {
        long millis = nanos / 1_000_000;
        return millis >= 1000 ? millis / 1000 + " s" : millis + " ms";
    }

    void ready(Duration took) {
        print("ready in %.1f s", took.toMillis() / 1000.0);
        print("");
        print(
                "%s",
                screen.styled(
                        Style.FAINT,
                        " time  " + cpuColumn("cpu used") + "  running  pending  placed/s  conflicts  version"));
    }

    private String cpuColumn(String text) {
        return hasBar() ? String.format("%-23s", text) : String.format("%8s", text);
    }

    private boolean hasBar() {
        return screen.columns() >= COLUMNS_WITH_BAR;
    }

    /** What was placed before the work came is not counted. */
    void begin(Reading reading) {
        placedBefore = reading.placed();
    }

    void line(Duration at, Reading reading, long conflicts) {
        double seconds = Math.max(0.001, at.minus(printedAt).toMillis() / 1000.0);
        double placedASecond = (reading.placed() - placedBefore) / seconds;
        placedBefore = reading.placed();
        printedAt = at;
        print(
                " %02d:%02d  %s  %,7d  %,7d  %,8.0f  %,9d  %,7d",
                at.toMinutes(),
                at.toSecondsPart(),
                cpuColumn(cpu(reading.cpuUsed())),
                reading.running(),
                reading.pending(),
                placedASecond,
                conflicts,
                reading.version());
    }

    private String cpu(double used) {
        String percent = String.format(Locale.ENGLISH, "%3.0f %%", used * 100);
        String bar = "#".repeat((int) Math.round(used * BAR_CELLS));
        return hasBar() ? String.format("[%-" + BAR_CELLS + "s] %s", bar, percent) : percent;
    }

    void conflict(LostClaim lost) {
        String loser = lost.getLoser().getScheduler();
        String winner = lost.getWinner().getScheduler();
        print(
                "       %s",
                screen.styled(
                        Style.YELLOW,
                        "conflict  " + lost.getTask() + " lost " + lost.getMachine() + " to " + winner + ": "
                                + why(lost)));
        print(
                "                 %s planned at version %,d, %s claimed at %,d; placed on %s at %,d",
                loser,
                lost.getBasis(),
                winner,
                lost.getWinner().getVersion(),
                lost.getPlacedMachine(),
                lost.getPlacedVersion());
    }

    private static String why(LostClaim lost) {
        return lost.hasDimension()
                ? String.format(
                        Locale.ENGLISH,
                        "asked %,d %s, %,d were free",
                        lost.getAsked(),
                        lost.getDimension(),
                        lost.getFree())
                : "the machine was claimed meanwhile";
    }

    void machineLost(int tasks, Duration elsewhereAfter) {
        print(
                "       %s",
                screen.styled(
                        Style.RED,
                        String.format(
                                Locale.ENGLISH,
                                "machine   %s stopped answering: %d %s LOST ... %s running elsewhere after %.1f s",
                                DemoScript.LOST_MACHINE,
                                tasks,
                                tasks == 1 ? "task" : "tasks",
                                tasks == 1 ? "it is" : "all " + tasks,
                                elsewhereAfter.toMillis() / 1000.0)));
    }

    void tables(Reading reading, List<Contention> contention) {
        print("");
        jobs(reading.jobs());
        print("");
        conflicts(contention);
    }

    private void jobs(Map<String, JobTimes.Summary> jobs) {
        Table table = new Table(
                "JOBS", ">SUBMITTED", ">PLACED", ">PENDING", ">FIRST ATTEMPT p50", ">p90", ">FULLY PLACED p50", ">p90");
        jobs.forEach((scheduler, of) -> table.row(
                scheduler,
                of.submitted(),
                of.placed(),
                of.pending(),
                seconds(of.firstAttemptMillis(), 0.5, 2),
                seconds(of.firstAttemptMillis(), 0.9, 1),
                seconds(of.fullyPlacedMillis(), 0.5, 2),
                seconds(of.fullyPlacedMillis(), 0.9, 1)));
        table.print(terminal);
    }

    private static String seconds(List<Long> millis, double part, int places) {
        return millis.isEmpty()
                ? ""
                : String.format(
                        Locale.ENGLISH, "%." + places + "f s", JobTimes.Summary.quantile(millis, part) / 1000.0);
    }

    private void conflicts(List<Contention> contention) {
        Table table = new Table(
                "CONFLICTS",
                ">SUCCESSFUL",
                ">CONFLICTED",
                ">FRACTION",
                ">CLAIMS PLACED",
                ">CLAIMS LOST",
                ">BUSY",
                ">WASTED");
        contention.forEach(of -> table.row(
                of.scheduler(),
                whole(of.successful()),
                whole(of.conflicted()),
                part(of.fraction()),
                whole(of.claimsPlaced()),
                whole(of.claimsLost()),
                part(of.busyFraction()),
                part(of.wastedBusyFraction())));
        table.print(terminal);
    }

    private static String whole(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    private static String part(OptionalDouble part) {
        return part.isPresent() ? String.format(Locale.ENGLISH, "%.2f", part.getAsDouble()) : "";
    }

    /** What the figures say, if they do: thirty seconds of chance may also say something else. */
    void moral(List<Contention> contention) {
        double quick = fraction(contention, "batch-a");
        boolean thinking = fraction(contention, DemoScript.SLOWEST) > quick;
        boolean allOrNothing = fraction(contention, "batch-b") > quick;
        print("");
        if (thinking && allOrNothing) {
            print("What it says: thinking long costs conflicts (web), and so does asking for all or nothing by");
            print("machine (batch-b); nobody waited for anybody's lock, and batch-a hardly noticed the others.");
        } else {
            print("What it says: less than usual. Thinking long (web) and asking for all or nothing by machine");
            print("(batch-b) mostly cost conflicts; try it with another --seed.");
        }
    }

    private static double fraction(List<Contention> contention, String scheduler) {
        return contention.stream()
                .filter(of -> of.scheduler().equals(scheduler))
                .mapToDouble(of -> of.fraction().orElse(0))
                .findFirst()
                .orElse(0);
    }

    void checked(DemoWatch.Verdict verdict, String digest) {
        print(
                "%s",
                screen.styled(
                        Style.GREEN,
                        String.format(
                                Locale.ENGLISH,
                                "checked: %,d versions replayed, no machine ever over-committed, no task placed twice,",
                                verdict.versions())));
        print(
                "%s",
                screen.styled(
                        Style.GREEN,
                        "         the store and " + DemoScript.PLANNERS.size()
                                + " private replicas have the same digest " + digest));
    }

    void next() {
        print("");
        print("next:  ./cella demo --keep     the same, left running: cella conflicts, cella top, dashboard");
        print("       ./cella dev             a cell on this machine, then: cella job run examples/hello.yaml --wait");
    }

    void kept(String address) {
        print("");
        print("left running at %s: cella conflicts, cella top, or the dashboard there; Ctrl-C ends it", address);
    }
}
