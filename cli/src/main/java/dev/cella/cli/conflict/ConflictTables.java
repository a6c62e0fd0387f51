package dev.cella.cli.conflict;

import com.google.protobuf.util.Durations;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.ConflictStatistics;
import dev.cella.client.proto.LoserAndWinner;
import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.LostTask;
import dev.cella.client.proto.ReasonCount;
import dev.cella.client.proto.SchedulerConflicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Prints conflicts for people: counts, losers and winners, reasons, machines, and the newest ones. */
final class ConflictTables {
    private static final int MACHINES_SHOWN = 10;

    private final Terminal terminal;

    ConflictTables(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(ConflictStatistics statistics) {
        terminal.print(window(statistics));
        terminal.print("");
        schedulers(statistics.getSchedulersList());
        if (statistics.getMatrixCount() > 0) {
            terminal.print("");
            matrix(statistics.getMatrixList());
        }
        reasons("REASON", statistics.getReasonsList());
        machines(statistics);
        reasons("REFUSED OTHERWISE", statistics.getRefusalsList());
    }

    /** {@code claims lost in the last 5 min 0 s: 99, 2.3 a second; the first at 12:00:01Z, the last at 12:00:35Z}. */
    private static String window(ConflictStatistics statistics) {
        long lost = statistics.getSchedulersList().stream()
                .mapToLong(SchedulerConflicts::getClaimsConflicted)
                .sum();
        double perSecond = statistics.getSchedulersList().stream()
                .mapToDouble(SchedulerConflicts::getClaimsConflictedPerSecond)
                .sum();
        Duration counted = Duration.ofMillis(Durations.toMillis(statistics.getCounted()));
        return "claims lost in the last " + Words.duration(counted) + ": " + lost
                + String.format(Locale.ROOT, ", %.2f a second", perSecond)
                + (statistics.hasFirstAt()
                        ? "; the first at " + Words.time(statistics.getFirstAt()) + ", the last at "
                                + Words.time(statistics.getLastAt())
                        : "");
    }

    private void schedulers(List<SchedulerConflicts> schedulers) {
        Table table = new Table(
                "SCHEDULER",
                ">SUCCESSFUL",
                ">CONFLICTED",
                ">FRACTION",
                ">CLAIMS PLACED",
                ">CLAIMS LOST",
                "~>STALENESS",
                ">BUSY",
                ">WASTED");
        for (SchedulerConflicts each : schedulers) {
            table.row(
                    each.getName(),
                    each.getSuccessful(),
                    each.getConflicted(),
                    Fractions.shown(each.hasConflictFraction(), each.getConflictFraction()),
                    each.getClaimsAccepted(),
                    each.getClaimsConflicted(),
                    each.hasStalenessVersionsMedian() ? each.getStalenessVersionsMedian() : "",
                    Fractions.shown(each.hasBusyFraction(), each.getBusyFraction()),
                    Fractions.shown(each.hasWastedBusyFraction(), each.getWastedBusyFraction()));
        }
        table.print(terminal);
    }

    private void matrix(List<LoserAndWinner> matrix) {
        List<String> winners = List.copyOf(
                matrix.stream().map(LoserAndWinner::getWinner).collect(Collectors.toCollection(TreeSet::new)));
        Map<String, Map<String, Long>> byLoser = new TreeMap<>();
        matrix.forEach(each -> byLoser.computeIfAbsent(each.getLoser(), first -> new TreeMap<>())
                .put(each.getWinner(), each.getCount()));
        List<String> columns = new ArrayList<>(List.of("LOST BY \\ WON BY"));
        winners.forEach(winner -> columns.add(">" + winner));
        Table table = new Table(columns.toArray(String[]::new));
        byLoser.forEach((loser, won) -> {
            List<Object> row = new ArrayList<>(List.of(loser));
            winners.forEach(
                    winner -> row.add(won.containsKey(winner) ? won.get(winner).toString() : ""));
            table.row(row.toArray());
        });
        table.print(terminal);
    }

    private void reasons(String title, List<ReasonCount> reasons) {
        if (reasons.isEmpty()) {
            return;
        }
        Table table = new Table(title, "DIMENSION", ">COUNT");
        reasons.forEach(each -> table.row(each.getReason(), each.getDimension(), each.getCount()));
        terminal.print("");
        table.print(terminal);
    }

    private void machines(ConflictStatistics statistics) {
        if (statistics.getMachinesCount() > 0) {
            Table table = new Table("MACHINE", ">CLAIMS LOST THERE");
            statistics.getMachinesList().stream()
                    .limit(MACHINES_SHOWN)
                    .forEach(each -> table.row(each.getName(), each.getCount()));
            terminal.print("");
            table.print(terminal);
        }
    }

    void print(List<LostClaim> ledger) {
        Table table = new Table("TIME", "TASK", "LOST", "TO", "REASON", ">ASKED", ">FREE", ">STALE", "NOW");
        for (LostClaim lost : ledger) {
            table.row(
                    Words.time(lost.getAt()),
                    lost.getTask(),
                    lost.getMachine(),
                    lost.getWinner().getScheduler(),
                    (lost.getReason() + " " + lost.getDimension()).strip(),
                    lost.hasAsked() ? lost.getAsked() : "",
                    lost.hasFree() ? lost.getFree() : "",
                    lost.getStalenessVersions(),
                    now(lost));
        }
        table.print(terminal);
    }

    private static String now(LostClaim lost) {
        return lost.getOutcome() == LostTask.LOST_TASK_PLACED_ELSEWHERE
                ? "on " + lost.getPlacedMachine() + " at " + lost.getPlacedVersion()
                : Words.word(lost.getOutcome());
    }
}
