package dev.cella.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** {@code docs/measurements.md} and its charts, made from the kept runs. Equal runs give equal bytes. */
public final class MeasurementsPage {
    private static final String BEGIN = """
        # Measurements

        This page shows how fast Cella is. It is for people who choose Cella or change it. `cella bench report` makes it from the runs in
        [measurements](%1$s), so do not edit it.

        A figure is the median over the runs of the newest commit that has it, with the least and the most beside it. A finish line is
        judged by the median, and one with *never above* by the worst figure. *Then* is a wish. Peers were measured in the same runs,
        or are what their authors published. The commands run on one machine with everything on it: servers, schedulers, load.
        The machine of a run may be slower than that of another run. Where a row has peers, their figures show it too. Below each table
        are the conditions just before its runs: the load of the last minute, and from 2026-11-29 on the time of *a read*: how long one
        thread waits for a number at a random place of 16 MiB. From 2026-11-30 on it is also the time of *a sort* of 10,000 random
        numbers by one thread. Runs with a read of more than %2$d ns, or a sort of more than %3$d us, are in the last chapter.

        Logs are synced. A load warms up until the compilers of all JVMs take under a twentieth of what it uses, for at most 3 minutes,
        and for 5 to 6 at the 10,000 placements/s of `cella bench commit`, where methods are called seldom (before 2026-11-28 15:30 for 1 to 5).
        In runs before 2026-11-28 11:00 it was a twentieth of the processors.
        A leader is asked to leave after two seconds of load; in runs before 2026-11-29 22:00, at the first answer.
        Several JVMs on two processors may compile longer. In runs before 2026-11-27, `cella bench run` warmed up with 200 jobs of one task.
        A third of the commands of `cella bench commit` are releases. Its peers are measured where they are installed
        (`apt-get install etcd-server zookeeper`), with as many transactions under way (in runs before 2026-12-01 with 256, where the cell had
        768 of ten claims or 3,072 of one), after a warm-up of half of `--seconds`: a task there is a row that may not exist yet, and nobody asks
        about room on a machine. `bench/measure` keeps three runs of
        each command that has none; leave the machine alone meanwhile. One run by hand: print it with `--json` into a file of
        [measurements](%1$s). `cella bench report --missing` lists what has no run.

        """;

    private static final String SLOW = """
        ## While the machine was slow

        The same commands and finish lines, in runs that began with a read of more than %d ns or a sort of more than %d us. Other guests
        of the host then probably use much of its caches and processors.

        """.formatted(KeptRun.READ_NANOS_MAX, KeptRun.SORT_MICROS_MAX);

    private final List<KeptRun> usual;
    private final List<KeptRun> slow;
    private final String folder;

    /** The runs are in the folder {@code measurements} beside the page. */
    public MeasurementsPage(List<KeptRun> kept) {
        this(kept, "measurements");
    }

    /** @param folder of the runs and the charts, as seen from the page */
    public MeasurementsPage(List<KeptRun> kept, String folder) {
        this.folder = folder;
        this.usual = kept.stream().filter(run -> !run.isOfSlowMachine()).toList();
        this.slow = kept.stream().filter(KeptRun::isOfSlowMachine).toList();
    }

    public String markdown() {
        StringBuilder page =
                new StringBuilder(BEGIN.formatted(folder, KeptRun.READ_NANOS_MAX, KeptRun.SORT_MICROS_MAX));
        for (Topic topic : Topics.ALL) {
            append(page, topic);
        }
        if (!slow.isEmpty()) {
            page.append(SLOW);
            for (Topic topic : Topics.ALL) {
                appendSlow(page, topic);
            }
        }
        return page.toString();
    }

    /** The charts of the topics that have enough figures for one, by the names of their files. */
    public Map<String, String> charts() {
        Map<String, String> charts = new LinkedHashMap<>();
        for (Topic topic : Topics.ALL) {
            chart(topic).ifPresent(chart -> charts.put(topic.chartFile(), chart.svg()));
            topic.curves().forEach(curves -> curves.svg(usual).ifPresent(chart -> charts.put(curves.file(), chart)));
        }
        return charts;
    }

    /** The commands of which no run of a machine at its usual speed is kept, each once. */
    public List<String> missing() {
        return Topics.ALL.stream()
                .flatMap(topic -> topic.sources().stream())
                .filter(source -> source.of(usual).isEmpty())
                .map(RunSource::command)
                .distinct()
                .toList();
    }

    private void append(StringBuilder page, Topic topic) {
        page.append("## ").append(topic.title()).append("\n\n");
        if (!topic.why().isEmpty()) {
            page.append(topic.why()).append('\n');
        }
        appendTable(page, topic.rows(), usual);
        if (chart(topic).isPresent()) {
            page.append(picture(topic.title(), topic.chartFile()));
        }
        for (MeasuredCurves curves : topic.curves()) {
            if (curves.svg(usual).isPresent()) {
                page.append(picture(curves.title(), curves.file()));
            }
        }
        appendConditions(page, topic.rows(), usual);
    }

    /** Shows only what was measured. */
    private void appendSlow(StringBuilder page, Topic topic) {
        List<MeasuredRow> measured = topic.rows().stream()
                .filter(row -> row.spread(slow).isPresent())
                .toList();
        if (!measured.isEmpty()) {
            page.append("### ").append(topic.title()).append("\n\n");
            appendTable(page, measured, slow);
            appendConditions(page, measured, slow);
        }
    }

    private static void appendTable(StringBuilder page, List<MeasuredRow> rows, List<KeptRun> runs) {
        page.append(
                "| what | median | least | most | runs | to reach | reached | then |\n|---|---|---|---|---|---|---|---|\n");
        for (MeasuredRow row : rows) {
            page.append(row(row, runs));
        }
    }

    /** A line for each command. */
    private static void appendConditions(StringBuilder page, List<MeasuredRow> rows, List<KeptRun> runs) {
        Map<RunSource, List<MeasuredRow>> bySource = rows.stream()
                .collect(Collectors.groupingBy(MeasuredRow::source, LinkedHashMap::new, Collectors.toList()));
        page.append('\n');
        bySource.forEach((source, itsRows) -> page.append("- `")
                .append(source.command())
                .append("`: ")
                .append(conditionsOf(itsRows, runs))
                .append(".\n"));
        page.append('\n');
    }

    private String picture(String title, String file) {
        return "\n![" + title + "](" + folder + "/" + file + ")\n";
    }

    private static String row(MeasuredRow measure, List<KeptRun> runs) {
        List<String> cells = new ArrayList<>();
        cells.add(measure.what() + ", " + measure.unit());
        Optional<FigureSpread> spread = measure.spread(runs);
        if (spread.isPresent()) {
            cells.add(FigureText.of(spread.get().median()));
            cells.add(FigureText.of(spread.get().least()));
            cells.add(FigureText.of(spread.get().most()));
            cells.add(String.valueOf(spread.get().runs()));
        } else {
            cells.addAll(List.of("not measured yet", "", "", ""));
        }
        cells.add(measure.goal().map(MeasurementsPage::toReach).orElse(""));
        cells.add(measure.goal()
                .flatMap(goal -> spread.map(figures -> goal.isReachedBy(figures) ? "yes" : "no"))
                .orElse(""));
        cells.add(measure.goal().map(Goal::then).map(MeasurementsPage::then).orElse(""));
        return cells.stream()
                        .map(cell -> cell.isEmpty() ? "| " : "| " + cell + " ")
                        .collect(Collectors.joining()) + "|\n";
    }

    private static String toReach(Goal goal) {
        String figure = FigureText.of(goal.toReach());
        return switch (goal.direction()) {
            case AT_LEAST -> "at least " + figure;
            case AT_MOST -> "at most " + figure;
            case NEVER_ABOVE -> "never above " + figure;
        };
    }

    private static String then(OptionalDouble wish) {
        return wish.isPresent() ? FigureText.of(wish.getAsDouble()) : "";
    }

    /** Under what conditions the runs were made of which the rows show figures. */
    private static String conditionsOf(List<MeasuredRow> rows, List<KeptRun> runs) {
        Map<String, List<KeptRun>> byCommit = rows.stream()
                .flatMap(measure -> measure.newest(runs).stream())
                .distinct()
                .collect(Collectors.groupingBy(KeptRun::commit, LinkedHashMap::new, Collectors.toList()));
        return byCommit.isEmpty()
                ? "no run is kept"
                : byCommit.values().stream().map(MeasurementsPage::conditions).collect(Collectors.joining("; "));
    }

    /** Day, commit and machine of the runs of one commit, with its load and speed just before them. */
    private static String conditions(List<KeptRun> runs) {
        KeptRun first = runs.get(0);
        String commit = first.commit().isEmpty() ? "" : ", commit `" + first.commit() + "`";
        return first.day() + commit + ", " + first.machine() + fact("load ", "loadAverage", "", runs)
                + fact("a read in ", "readNanos", " ns", runs) + fact("a sort in ", "sortMicros", " us", runs);
    }

    private static String fact(String before, String name, String after, List<KeptRun> runs) {
        List<Double> known =
                runs.stream().flatMap(run -> run.fact(name).stream()).toList();
        if (known.isEmpty()) {
            return "";
        }
        FigureSpread spread = FigureSpread.of(known, runs.size());
        String more = spread.most() > spread.least() ? " to " + FigureText.of(spread.most()) : "";
        return ", " + before + FigureText.of(spread.least()) + more + after;
    }

    private Optional<MeasuredBars> chart(Topic topic) {
        MeasuredBars bars = new MeasuredBars(topic.title(), topic.chart());
        for (MeasuredRow measure : topic.rows()) {
            if (measure.unit().equals(topic.chart())) {
                measure.spread(usual).ifPresent(spread -> bars.add(measure.what(), spread, measure.goal()));
            }
        }
        return bars.isWorthDrawing() ? Optional.of(bars) : Optional.empty();
    }
}
