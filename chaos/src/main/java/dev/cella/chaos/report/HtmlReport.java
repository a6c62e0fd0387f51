package dev.cella.chaos.report;

import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checker.Violation;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.check.PlacementWaits;
import dev.cella.chaos.check.Twin;
import dev.cella.chaos.history.Timeline.Sample;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.World;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** One run as one HTML file without references: verdict, time line, checkers, cost, and how to run it again. */
public final class HtmlReport {
    private static final int WIDTH = 1_000;
    private static final int LEFT = 150;
    private static final int LANE = 18;
    private static final int CHART = 70;
    /** Above the lanes, for the words at the line of the healed core. */
    private static final int TOP = 18;
    /** No value at that sample: the line has a gap. */
    private static final long NONE = -1;

    private static final int VIOLATIONS_MAX = 5;
    private static final String STYLE = """
            :root{color-scheme:light dark;--text:#1c2430;--page:#fff;--muted:#5d6675;--line:#e4e7ec;--code:#f2f4f7;
            --ok:#14713d;--bad:#b3261e;--bit:#d92d20;--void:#c3c9d4;--placed:#2563eb;--conflict:#b45309;--late:#7a5af8}
            @media(prefers-color-scheme:dark){:root{--text:#e6e9ef;--page:#14181f;--muted:#9aa4b5;--line:#2b323d;
            --code:#222934;--ok:#5fcf8e;--bad:#ff8a80;--bit:#f97066;--void:#4b5565;--placed:#7aa7ff;--conflict:#f5b35c;
            --late:#b9a5ff}}
            body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1180px;padding:0 1rem;color:var(--text);
            background:var(--page)}
            h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
            .ok{color:var(--ok)}.bad{color:var(--bad)}.muted{color:var(--muted)}
            table{border-collapse:collapse;width:100%}
            td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
            td{overflow-wrap:anywhere}td:first-child,th{white-space:nowrap;overflow-wrap:normal}
            code{background:var(--code);padding:.15rem .35rem;border-radius:4px;overflow-wrap:anywhere}
            .key{display:inline-block;width:1.6em;height:.8em;border-radius:2px}
            .wide{overflow-x:auto}svg{width:100%;min-width:760px;height:auto}
            .wide table{min-width:560px}svg text{font:11px system-ui,sans-serif;fill:var(--muted)}
            svg text.on{fill:#fff;font-size:10px}svg .base{stroke:var(--line)}
            @media(max-width:600px){body{margin:1rem auto}td,th{padding:.3rem}}
            """;

    private final Checked run;
    private final StringBuilder html = new StringBuilder();
    private final long endMillis;

    private HtmlReport(Checked run) {
        this.run = run;
        this.endMillis = Math.max(1, run.result().history().endedAtNanos() / 1_000_000);
    }

    public static String of(Checked run) {
        return new HtmlReport(run).write();
    }

    private String write() {
        html.append("<!doctype html><html lang=en><meta charset=utf-8>"
                        + "<meta name=viewport content=\"width=device-width,initial-scale=1\"><title>cella chaos: ")
                .append(escaped(run.scenario().name()))
                .append("</title><style>")
                .append(STYLE)
                .append("</style>");
        head();
        html.append(
                "<h2>Time line</h2><p class=muted>Each fault is a lane: <span class=key style=\"background:var(--bit)\">"
                        + "</span> it had an effect, <span class=key style=\"background:var(--void)\"></span> it was VOID.</p>");
        timeLine();
        checkers();
        cost();
        faults();
        html.append("<h2>Run it again</h2><p><code>")
                .append(escaped(run.command()))
                .append(
                        run.world() == World.SIMULATED
                                ? "</code> gives the digest <code>" + RunReport.digest(run) + "</code>.</p></html>"
                                : "</code> gives the same faults at the same times; processes never run the same"
                                        + " twice.</p></html>");
        return html.toString();
    }

    private void head() {
        boolean holds = run.holds();
        long failed = run.verdicts().stream().filter(verdict -> !verdict.held()).count();
        long judged = run.verdicts().stream().filter(Verdict::judged).count();
        html.append("<h1>")
                .append(escaped(run.scenario().name()))
                .append(holds ? " <span class=ok>holds</span>" : " <span class=bad>does not hold</span>")
                .append("</h1><p>")
                .append(escaped(run.scenario().about()))
                .append("</p><p class=muted>Seed ")
                .append(run.seed())
                .append(", world: " + run.world().words() + ", ")
                .append(run.scenario().replicas())
                .append(" replicas, ")
                .append(run.world().schedulers(run.scenario()))
                .append(" schedulers, ")
                .append(run.world().machines(run.scenario()))
                .append(" machines, ")
                .append(endMillis / 1_000)
                .append(run.world() == World.SIMULATED ? " s of virtual time, " : " s, ")
                .append(run.result().events())
                .append(run.world() == World.SIMULATED ? " events. " : " entries in the log. ")
                .append(judged - failed)
                .append(" of ")
                .append(judged)
                .append(" checkers hold; ")
                .append(run.verdicts().size() - judged)
                .append(" had no case. Canary: ")
                .append(run.canarySeen() ? "<span class=ok>SEEN</span>" : "<span class=bad>MISSED</span>")
                .append(".</p>");
    }

    // ---- the time line

    private double x(long millis) {
        return LEFT + (double) (WIDTH - LEFT) * Math.min(millis, endMillis) / endMillis;
    }

    private void timeLine() {
        List<FaultRun> faults = run.result().faults();
        List<Sample> samples = run.result().timeline().samples();
        int lanes = faults.size() * LANE;
        int height = TOP + lanes + LANE + 5 * (CHART + 14) + 30;
        html.append("<div class=wide><svg viewBox=\"0 0 ")
                .append(WIDTH)
                .append(' ')
                .append(height)
                .append("\" role=img aria-label=\"time line\">");
        int y = TOP;
        for (FaultRun fault : faults) {
            lane(fault, y);
            y += LANE;
        }
        leaders(samples, y);
        y += LANE + 14;
        y = chart("placements / s", "var(--placed)", samples, Sample::placements, true, y);
        y = chart("conflicts / s", "var(--conflict)", samples, Sample::conflicts, true, y);
        y = chart("pending tasks", "var(--bad)", samples, Sample::pending, false, y);
        y = chart("wait for a place (ms)", "var(--late)", samples, waitsOf(samples), y);
        y = chart("running tasks", "var(--ok)", samples, Sample::running, false, y);
        axis(y, height);
        html.append("</svg></div>");
    }

    private void lane(FaultRun fault, int y) {
        label(fault.kind().words() + " " + fault.on(), y + 13);
        rectangle(x(fault.fromMillis()), y + 3, x(fault.untilMillis()), 12, fault.bit() ? "var(--bit)" : "var(--void)");
    }

    private void label(String text, int y) {
        String shown = text.length() > 24 ? text.substring(0, 23) + "…" : text;
        html.append("<text x=0 y=").append(y).append('>').append(escaped(shown)).append("</text>");
    }

    private void rectangle(double from, int y, double to, int height, String colour) {
        html.append(String.format(
                Locale.ROOT,
                "<rect x=%.1f y=%d width=%.1f height=%d rx=2 style=\"fill:%s\"/>",
                from,
                y,
                Math.max(2, to - from),
                height,
                colour));
    }

    private void leaders(List<Sample> samples, int y) {
        label("leader", y + 13);
        String[] colours = {"#667085", "#7a5af8", "#0b7a6e", "#b45309", "#1d6fd1"};
        int begin = 1;
        while (begin < samples.size()) {
            String leader = samples.get(begin).leader().orElse("");
            int end = begin;
            while (end + 1 < samples.size()
                    && samples.get(end + 1).leader().orElse("").equals(leader)) {
                end++;
            }
            if (!leader.isEmpty()) {
                double from = x(samples.get(begin - 1).atMillis());
                int colour = Math.floorMod(leader.charAt(leader.length() - 1) - '0', colours.length);
                rectangle(from, y + 3, x(samples.get(end).atMillis()) - 1, 12, colours[colour]);
                html.append(String.format(
                        Locale.ROOT, "<text class=on x=%.1f y=%d>%s</text>", from + 3, y + 13, escaped(leader)));
            }
            begin = end + 1;
        }
    }

    private int chart(
            String name, String colour, List<Sample> samples, ToLongFunction<Sample> value, boolean rate, int y) {
        long[] values = new long[samples.size()];
        for (int place = 0; place < values.length; place++) {
            long before = place == 0 ? 0 : value.applyAsLong(samples.get(place - 1));
            long now = value.applyAsLong(samples.get(place));
            values[place] = rate ? 2 * Math.max(0, now - before) : now;
        }
        return chart(name, colour, samples, values, y);
    }

    /** The mean wait of the jobs that were placed for the first time between one sample and the next, if any was. */
    private long[] waitsOf(List<Sample> samples) {
        long[] values = new long[samples.size()];
        long[] jobs = new long[samples.size()];
        for (PlacementWaits.Wait wait :
                PlacementWaits.of(Evidence.of(run.result().history()))) {
            long atMillis = wait.placedAtNanos() / 1_000_000;
            int place = 0;
            while (place < values.length - 1 && samples.get(place).atMillis() < atMillis) {
                place++;
            }
            if (values.length > 0) {
                values[place] += wait.waitedNanos() / 1_000_000;
                jobs[place]++;
            }
        }
        for (int place = 0; place < values.length; place++) {
            values[place] = jobs[place] == 0 ? NONE : values[place] / jobs[place];
        }
        return values;
    }

    private int chart(String name, String colour, List<Sample> samples, long[] values, int y) {
        long max = Math.max(1, Arrays.stream(values).max().orElse(1));
        html.append(String.format(
                Locale.ROOT, "<line class=base x1=%d x2=%d y1=%d y2=%d />", LEFT, WIDTH, y + CHART, y + CHART));
        label(name, y + 14);
        label("max " + max, y + 30);
        StringBuilder line = new StringBuilder();
        for (int place = 0; place < values.length; place++) {
            if (values[place] != NONE) {
                boolean begins = place == 0 || values[place - 1] == NONE;
                line.append(String.format(
                        Locale.ROOT,
                        begins ? "M%.1f,%.1fh3" : "L%.1f,%.1f",
                        x(samples.get(place).atMillis()),
                        y + CHART - (double) CHART * values[place] / max));
            }
        }
        html.append("<path fill=none stroke-width=1.5 stroke-linecap=round style=\"stroke:")
                .append(colour)
                .append("\" d=\"")
                .append(line)
                .append("\"/>");
        return y + CHART + 14;
    }

    private void axis(int y, int height) {
        run.result().history().healedAtNanos().ifPresent(healed -> {
            double at = x(healed / 1_000_000);
            html.append(String.format(
                    Locale.ROOT,
                    "<line x1=%.1f x2=%.1f y1=0 y2=%d stroke=\"#667085\" stroke-dasharray=\"4 3\"/>"
                            + "<text x=%.1f y=%d>core healed</text>",
                    at,
                    at,
                    height - 20,
                    at + 4,
                    12));
        });
        long step = Math.max(5_000, endMillis / 10 / 5_000 * 5_000);
        for (long at = 0; at <= endMillis; at += step) {
            String anchor = at == 0 ? "start" : x(at) > WIDTH - 15 ? "end" : "middle";
            html.append(String.format(
                    Locale.ROOT, "<text x=%.1f y=%d text-anchor=%s>%d s</text>", x(at), y + 12, anchor, at / 1_000));
        }
    }

    // ---- tables

    private void checkers() {
        html.append("<h2>Hypotheses</h2><table><tr><th>Checker<th>What must hold<th>Verdict</tr>");
        for (Verdict verdict : run.verdicts()) {
            html.append("<tr><td>")
                    .append(verdict.checker())
                    .append("<td>")
                    .append(escaped(verdict.holds()))
                    .append("<td>");
            if (verdict.held()) {
                html.append(
                        verdict.judged() ? "<span class=ok>holds</span>" : "<span class=muted>no case of it</span>");
            } else {
                html.append("<span class=bad>")
                        .append(verdict.violations().size())
                        .append(verdict.violations().size() == 1 ? " violation</span>" : " violations</span>");
            }
            html.append("</tr>");
            violations(verdict);
        }
        html.append("</table>");
    }

    /** Below the verdict, because the words of a violation are long. */
    private void violations(Verdict verdict) {
        List<Violation> violations = verdict.violations();
        violations.stream()
                .limit(VIOLATIONS_MAX)
                .forEach(each -> html.append("<tr class=why><td><td colspan=2>")
                        .append(escaped(each.at() + ": " + each.what()))
                        .append("</tr>"));
        if (violations.size() > VIOLATIONS_MAX) {
            html.append("<tr class=why><td><td colspan=2 class=muted>and ")
                    .append(violations.size() - VIOLATIONS_MAX)
                    .append(" more</tr>");
        }
    }

    private void cost() {
        run.twin().without().ifPresent(without -> {
            Twin.Cost with = run.twin().withFaults();
            html.append("<h2>What the faults cost</h2><table><tr><th><th>With faults<th>Fault-free twin</tr>");
            row("placements", with, without, Twin.Cost::placements);
            row("conflicts", with, without, Twin.Cost::conflicts);
            row("evictions", with, without, Twin.Cost::evictions);
            row("log entries", with, without, Twin.Cost::entries);
            row("mean wait of a job (ms)", with, without, Twin.Cost::waitMillisMean);
            html.append("</table>");
        });
    }

    private void row(String name, Twin.Cost with, Twin.Cost without, ToLongFunction<Twin.Cost> value) {
        html.append("<tr><td>")
                .append(name)
                .append("<td>")
                .append(value.applyAsLong(with))
                .append("<td>")
                .append(value.applyAsLong(without))
                .append("</tr>");
    }

    private void faults() {
        html.append(
                "<h2>Faults</h2><div class=wide><table><tr><th>Fault<th>On<th>From<th>Until<th>Bit<th>What it does</tr>");
        for (FaultRun fault : run.result().faults()) {
            html.append("<tr><td>")
                    .append(fault.kind().words())
                    .append(" (")
                    .append(fault.kind().number())
                    .append(")<td>")
                    .append(escaped(fault.on()))
                    .append("<td>")
                    .append(fault.fromMillis())
                    .append(" ms<td>")
                    .append(fault.untilMillis())
                    .append(" ms<td>")
                    .append(escaped(fault.verdict()))
                    .append("<td>")
                    .append(escaped(fault.kind().does()))
                    .append("</tr>");
        }
        html.append("</table></div>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
