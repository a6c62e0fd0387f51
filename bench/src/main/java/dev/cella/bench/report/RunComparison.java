package dev.cella.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The figures of the same commands at two commits. Two figures differ if no run of one commit lies among those of the other; then
 * the runs' own spread does not explain the difference.
 */
public final class RunComparison {
    /** With fewer runs, figures lie apart too often by chance. */
    public static final int RUNS_MIN = 3;

    private static final Set<String> FACTS =
            Set.of("processors", "memoryMib", "loadAverage", "readNanos", "sortMicros");

    /** How two commits differ in a figure. */
    public enum Verdict {
        MORE,
        LESS,
        WITHIN_SPREAD,
        TOO_FEW_RUNS
    }

    /**
     * One figure at both commits.
     *
     * @param before the median, with the least and the most
     * @param change from one median to the other, as in {@code +12 %}
     */
    public record Row(String figure, String before, String after, String change, Verdict verdict) {}

    private final Map<String, List<KeptRun>> before;
    private final Map<String, List<KeptRun>> after;

    public RunComparison(List<KeptRun> before, List<KeptRun> after) {
        this.before = byCommand(before);
        this.after = byCommand(after);
    }

    private static Map<String, List<KeptRun>> byCommand(List<KeptRun> runs) {
        Map<String, List<KeptRun>> byCommand = new LinkedHashMap<>();
        runs.forEach(run -> byCommand
                .computeIfAbsent(run.data().path("command").asText(), first -> new ArrayList<>())
                .add(run));
        return byCommand;
    }

    /** The commands that ran at both commits. */
    public List<String> commands() {
        return before.keySet().stream().filter(after::containsKey).toList();
    }

    /** The commands that ran at one commit only. */
    public Set<String> unmatched() {
        Set<String> unmatched = new TreeSet<>(before.keySet());
        unmatched.addAll(after.keySet());
        commands().forEach(unmatched::remove);
        return unmatched;
    }

    /** The figures that both commits have, without those that are the same in all runs, such as the number of machines. */
    public List<Row> rows(String command) {
        Map<String, FigureSpread> then = spreads(before.getOrDefault(command, List.of()));
        Map<String, FigureSpread> now = spreads(after.getOrDefault(command, List.of()));
        List<Row> rows = new ArrayList<>();
        then.forEach((figure, spread) -> {
            FigureSpread other = now.get(figure);
            if (other != null && !isConstant(spread, other)) {
                rows.add(new Row(figure, text(spread), text(other), change(spread, other), verdict(spread, other)));
            }
        });
        return rows;
    }

    private static Map<String, FigureSpread> spreads(List<KeptRun> runs) {
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        Map<String, Integer> runsWith = new HashMap<>();
        for (KeptRun run : runs) {
            Map<String, List<Double>> its = new LinkedHashMap<>();
            collect("", run.data(), its);
            its.forEach((path, values) -> {
                figures.computeIfAbsent(path, first -> new ArrayList<>()).addAll(values);
                runsWith.merge(path, 1, Integer::sum);
            });
        }
        Map<String, FigureSpread> spreads = new LinkedHashMap<>();
        figures.forEach((path, values) ->
                spreads.put(path, FigureSpread.of(values, Objects.requireNonNull(runsWith.get(path)))));
        return spreads;
    }

    /** All numbers of a run by their paths. The numbers of a list are figures of one path. */
    private static void collect(String path, JsonNode node, Map<String, List<Double>> figures) {
        if (node.isNumber() && !FACTS.contains(path)) {
            figures.computeIfAbsent(path, first -> new ArrayList<>()).add(node.asDouble());
        } else if (node.isObject()) {
            node.properties()
                    .forEach(field -> collect(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), figures));
        } else if (node.isArray()) {
            for (int item = 0; item < node.size(); item++) {
                JsonNode value = node.get(item);
                String place = value.path("name").isTextual()
                        ? "name=" + value.path("name").asText()
                        : item + "";
                collect(value.isNumber() ? path : path + "[" + place + "]", value, figures);
            }
        }
    }

    private static boolean isConstant(FigureSpread before, FigureSpread after) {
        return before.least() == before.most() && after.least() == after.most() && before.least() == after.least();
    }

    private static String text(FigureSpread spread) {
        String median = FigureText.of(spread.median());
        return spread.least() == spread.most()
                ? median
                : median + " (" + FigureText.of(spread.least()) + " to " + FigureText.of(spread.most()) + ")";
    }

    private static String change(FigureSpread before, FigureSpread after) {
        return before.median() == 0
                ? "-"
                : String.format(
                        Locale.ROOT, "%+.0f %%", 100 * (after.median() - before.median()) / Math.abs(before.median()));
    }

    private static Verdict verdict(FigureSpread before, FigureSpread after) {
        if (before.runs() < RUNS_MIN || after.runs() < RUNS_MIN) {
            return Verdict.TOO_FEW_RUNS;
        }
        if (before.most() < after.least()) {
            return Verdict.MORE;
        }
        return after.most() < before.least() ? Verdict.LESS : Verdict.WITHIN_SPREAD;
    }
}
