package dev.cella.cli.demo;

import dev.cella.cli.demo.DemoWatch.Reading;
import dev.cella.cli.terminal.Screen;
import dev.cella.cli.terminal.Screen.Style;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.LostClaim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/**
 * Prints the demo: the same lines on a terminal and in a pipe, with colours only on a terminal. On a narrow terminal text is
 * broken between words, tables are turned, and the lines of the clock omit the bar first and then the least important columns.
 */
final class DemoReport {
    private static final int CLOCK_COLUMNS = 7;
    private static final int PENDING = 2;
    private static final int PLACED = 3;
    private static final int VERSION = 5;
    private static final int BAR_CELLS = 15;
    private static final int COLUMNS_WITH_BAR = 84;
    private static final int PARAGRAPH_COLUMNS = 96;
    private static final int HANG_HEADER = 14;
    private static final int HANG_EVENT = 17;
    private static final int HANG_NEXT = 9;

    private final Terminal terminal;
    private final Screen screen;
    private long placedBefore;
    private Duration printedAt = Duration.ZERO;

    DemoReport(Terminal terminal, Screen screen) {
        this.terminal = terminal;
        this.screen = screen;
    }

    /** Breaks long lines; continuation lines are indented by {@code hang}. */
    private void print(int hang, String format, Object... values) {
        printWrapped(text -> text, hang, String.format(Locale.ENGLISH, format, values));
    }

    private void print(String format, Object... values) {
        print(0, format, values);
    }

    private void print(Style style, int hang, String text) {
        printWrapped(line -> screen.styled(style, line), hang, text);
    }

    private void printWrapped(UnaryOperator<String> styled, int hang, String text) {
        screen.wrapped(text.stripTrailing(), hang)
                .forEach(line -> terminal.print(line.isEmpty() ? line : styled.apply(line)));
        terminal.out().flush();
    }

    void header(long seed, String address, Path data, boolean keep) {
        print(
                Style.BOLD,
                HANG_HEADER - 1,
                String.format(
                        Locale.ENGLISH,
                        "cella demo   %d hollow machines (%d cores, %d GiB), half full, %d schedulers, %d s, seed %d",
                        DemoScript.MACHINES,
                        DemoScript.CAPACITY.cpuMilli() / 1000,
                        DemoScript.CAPACITY.memoryMib() / 1024,
                        DemoScript.PLANNERS.size(),
                        DemoScript.LENGTH.toSeconds(),
                        seed));
        print(HANG_HEADER, "  cell        %s   dashboard at the same address", address);
        print(
                HANG_HEADER,
                "  store       1 replica, Raft log with fsync, %s%s",
                data,
                keep ? "" : " (removed at the end)");
        DemoScript.PLANNERS.forEach(this::describe);
    }

    private void describe(DemoScript.Planner planner) {
        print(
                HANG_HEADER,
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
                Style.FAINT,
                0,
                " time  "
                        + within(List.of(
                                cpuColumn("cpu used"), "running", "pending", "placed/s", "conflicts", "version")));
    }

    private String cpuColumn(String text) {
        return hasBar() ? String.format("%-23s", text) : String.format("%8s", text);
    }

    private boolean hasBar() {
        return screen.columns() >= COLUMNS_WITH_BAR;
    }

    /** The columns after the clock; without enough room, less important ones are left out. */
    private String within(List<String> columns) {
        List<String> shown = new ArrayList<>(columns);
        for (String column : List.of(columns.get(VERSION), columns.get(PLACED), columns.get(PENDING))) {
            if (CLOCK_COLUMNS + String.join("  ", shown).length() > screen.columns()) {
                shown.remove(shown.lastIndexOf(column));
            }
        }
        return String.join("  ", shown);
    }

    /** Placements before the first submitted job do not count. */
    void begin(Reading reading) {
        placedBefore = reading.placed();
    }

    void line(Duration at, Reading reading, long conflicts) {
        double seconds = Math.max(0.001, at.minus(printedAt).toMillis() / 1000.0);
        double placedASecond = (reading.placed() - placedBefore) / seconds;
        placedBefore = reading.placed();
        printedAt = at;
        print(
                " %02d:%02d  %s",
                at.toMinutes(),
                at.toSecondsPart(),
                within(List.of(
                        cpuColumn(cpu(reading.cpuUsed())),
                        number("%,7d", reading.running()),
                        number("%,7d", reading.pending()),
                        number("%,8.0f", placedASecond),
                        number("%,9d", conflicts),
                        number("%,7d", reading.version()))));
    }

    private static String number(String format, Object number) {
        return String.format(Locale.ENGLISH, format, number);
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
                Style.YELLOW,
                HANG_EVENT,
                "       conflict  " + lost.getTask() + " lost " + lost.getMachine() + " to " + winner + ": "
                        + why(lost));
        print(
                HANG_EVENT,
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

    void machineLost(DemoWatch.Loss loss) {
        String lost = String.format(
                Locale.ENGLISH,
                "       machine   %s stopped answering: %d %s LOST ... ",
                DemoScript.LOST_MACHINE,
                loss.tasks(),
                loss.tasks() == 1 ? "task" : "tasks");
        print(Style.RED, HANG_EVENT, lost + elsewhere(loss));
    }

    private static String elsewhere(DemoWatch.Loss loss) {
        if (loss.elsewhereAfterMillis().isEmpty()) {
            return loss.waiting() + " of them not yet running elsewhere";
        }
        return String.format(
                Locale.ENGLISH,
                "%s running elsewhere after %.1f s",
                loss.tasks() == 1 ? "it is" : "all " + loss.tasks(),
                loss.elsewhereAfterMillis().getAsLong() / 1000.0);
    }

    void tables(Reading reading, List<Contention> contention) {
        print("");
        jobs(reading.jobs());
        print("");
        conflicts(contention);
        terminal.out().flush();
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
        table.printWithin(screen.columns(), terminal);
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
        table.printWithin(screen.columns(), terminal);
    }

    private static String whole(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    private static String part(OptionalDouble part) {
        return part.isPresent() ? String.format(Locale.ENGLISH, "%.2f", part.getAsDouble()) : "";
    }

    /** The conclusion from the figures, if they support it: in thirty seconds chance may show something else. */
    void moral(List<Contention> contention) {
        double quick = fraction(contention, "batch-a");
        boolean thinking = fraction(contention, DemoScript.SLOWEST) > quick;
        boolean allOrNothing = fraction(contention, "batch-b") > quick;
        print("");
        if (thinking && allOrNothing) {
            paragraph("What it says: thinking long costs conflicts (web), and so does asking for all or nothing by"
                    + " machine (batch-b); nobody waited for anybody's lock, and batch-a hardly noticed the others.");
        } else {
            paragraph("What it says: less than usual. Thinking long (web) and asking for all or nothing by machine"
                    + " (batch-b) mostly cost conflicts; try it with another --seed.");
        }
    }

    private void paragraph(String text) {
        new Screen(false, false, Math.min(PARAGRAPH_COLUMNS, screen.columns()), screen.lines())
                .wrapped(text, 0)
                .forEach(terminal::print);
    }

    private static double fraction(List<Contention> contention, String scheduler) {
        return contention.stream()
                .filter(of -> of.scheduler().equals(scheduler))
                .mapToDouble(of -> of.fraction().orElse(0))
                .findFirst()
                .orElse(0);
    }

    void checked(DemoWatch.Verdict verdict, String digest) {
        String history = String.format(
                Locale.ENGLISH,
                "checked: %,d versions replayed, no machine ever over-committed, no task placed twice,",
                verdict.versions());
        String copies =
                "the store and " + DemoScript.PLANNERS.size() + " private replicas have the same digest " + digest;
        if (history.length() <= screen.columns()) {
            print(Style.GREEN, HANG_NEXT, history);
            print(Style.GREEN, HANG_NEXT, " ".repeat(HANG_NEXT) + copies);
        } else {
            print(Style.GREEN, HANG_NEXT, history + " " + copies);
        }
    }

    void next() {
        print("");
        print(
                HANG_NEXT,
                "next:  ./cella demo --keep     the same, left running: cella conflicts, cella top, dashboard");
        print(
                HANG_NEXT,
                "       ./cella dev             a cell on this machine, then: cella job run examples/hello.yaml"
                        + " --wait");
    }

    void kept(String address) {
        print("");
        print(
                HANG_NEXT,
                "left running at %s: cella conflicts, cella top, or the dashboard there; Ctrl-C ends it",
                address);
    }
}
