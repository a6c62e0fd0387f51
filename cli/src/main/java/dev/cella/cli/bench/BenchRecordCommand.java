package dev.cella.cli.bench;

import dev.cella.bench.conflicts.RecordBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench record}: measures the complete record of conflicts and steps. */
@Command(
        name = "record",
        header = "The cost of the complete record of conflicts, and questions to a million lost claims.",
        description = {
            "Places claims with the record and without it, in turns, and compares the processor time. Then a million claims are",
            "lost: it counts those that the ledger has, and asks who beat 200 of them. cella bench commit shows how much",
            "processor time a whole server takes for a claim."
        },
        footer = {"", "Example:", "  cella bench record --turns 5"})
public final class BenchRecordCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--placements",
            paramLabel = "N",
            defaultValue = "300000",
            description = "claims of each turn (default: ${DEFAULT-VALUE})")
    private int placements;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "5",
            description = "turns with the record, and as many without it (default: ${DEFAULT-VALUE})")
    private int turns;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchRecordCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (placements < 10 || placements % 10 != 0 || placements > 5_000_000 || turns < 1) {
            throw CommandFailure.usage(
                    "a turn places 10 to 5,000,000 claims, a multiple of 10, and there is at least one turn",
                    "--placements 300000 --turns 5");
        }
        RecordBench.Report report = RecordBench.run(placements, turns);
        return format.answer(terminal, report, BenchRecordCommand::data, this::print);
    }

    private static Map<String, Object> data(RecordBench.Report report) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("bench", "record");
        data.put("cellCpuMicrosPerClaim", report.cellMicros());
        data.put("recordedCpuMicrosPerClaim", report.recordedMicros());
        data.put("recordCpuMicrosPerClaim", report.recordedMicros() - report.cellMicros());
        data.put("claimsLost", report.lost());
        data.put("claimsKept", report.kept());
        data.put("lostClaimCpuMicros", report.lostMicros());
        data.put("askedP50Millis", report.askedP50Millis());
        data.put("askedMaxMillis", report.askedMaxMillis());
        return data;
    }

    private void print(RecordBench.Report report) {
        say(
                "placed    %.2f us a claim without the record, %.2f us with it: the record takes %.2f us",
                report.cellMicros(), report.recordedMicros(), report.recordedMicros() - report.cellMicros());
        say(
                "lost      %,d claims, %,d of them kept, %,d sampled away; %.2f us a claim",
                report.lost(), report.kept(), report.lost() - report.kept(), report.lostMicros());
        say("asked     about one of them: p50 %.1f ms, most %.1f ms", report.askedP50Millis(), report.askedMaxMillis());
    }

    private void say(String form, Object... figures) {
        terminal.print(String.format(Locale.ROOT, form, figures));
    }
}
