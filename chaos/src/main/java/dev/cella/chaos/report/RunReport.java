package dev.cella.chaos.report;

import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.check.Twin;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.client.json.JsonCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run as data, with the fields that SURFACE section 8.2 names, and the scenario that replays it. */
public final class RunReport {
    private RunReport() {}

    public static String digest(Checked run) {
        return String.format("%016x", run.result().digest());
    }

    public static Map<String, Object> data(Checked run) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("scenario", run.scenario().name());
        data.put("world", run.world().words());
        data.put("seed", run.seed());
        data.put("digest", digest(run));
        data.put("canary", run.canarySeen() ? "SEEN" : "MISSED");
        data.put("holds", run.holds());
        data.put("faults", run.result().faults().stream().map(RunReport::fault).toList());
        data.put("checkers", run.verdicts().stream().map(RunReport::checker).toList());
        data.put("twin", twin(run));
        data.put("command", run.command());
        return data;
    }

    /** The same, and the scenario with exactly its faults: what a file for `replay` and `shrink` holds. */
    public static String json(Checked run) {
        String fields = json(data(run));
        String replay = new JsonCodec().write(ScenarioFiles.file(run.scenario(), run.planned()));
        return fields.substring(0, fields.length() - 1) + ",\"replay\":" + replay + "}";
    }

    private static Map<String, Object> fault(FaultRun fault) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("fault", fault.kind().words());
        data.put("on", fault.on());
        data.put("from", fault.fromMillis() + "ms");
        data.put("until", fault.untilMillis() + "ms");
        data.put("bit", fault.bit());
        if (!fault.why().isEmpty()) {
            data.put("why", fault.why());
        }
        return data;
    }

    private static Map<String, Object> checker(Verdict verdict) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("checker", verdict.checker());
        data.put("says", verdict.holds());
        data.put("holds", verdict.held());
        data.put("judged", verdict.judged());
        List<Map<String, Object>> violations = new ArrayList<>();
        verdict.violations().forEach(each -> {
            Map<String, Object> violation = new LinkedHashMap<>();
            violation.put("at", each.at());
            violation.put("what", each.what());
            violations.add(violation);
        });
        data.put("violations", violations);
        return data;
    }

    private static Map<String, Object> twin(Checked run) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("withFaults", cost(run.twin().withFaults()));
        run.twin().without().ifPresent(without -> data.put("without", cost(without)));
        return data;
    }

    private static Map<String, Object> cost(Twin.Cost cost) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("placements", cost.placements());
        data.put("conflicts", cost.conflicts());
        data.put("evictions", cost.evictions());
        data.put("logEntries", cost.entries());
        data.put("waitMillisMean", cost.waitMillisMean());
        return data;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            StringBuilder text = new StringBuilder("{");
            map.forEach((name, each) -> text.append(text.length() > 1 ? "," : "")
                    .append(quoted(String.valueOf(name)))
                    .append(':')
                    .append(json(each)));
            return text.append('}').toString();
        }
        if (value instanceof List<?> list) {
            StringBuilder text = new StringBuilder("[");
            list.forEach(each -> text.append(text.length() > 1 ? "," : "").append(json(each)));
            return text.append(']').toString();
        }
        return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int place = 0; place < text.length(); place++) {
            char each = text.charAt(place);
            if (each == '"' || each == '\\') {
                quoted.append('\\').append(each);
            } else if (each < ' ') {
                quoted.append(String.format("\\u%04x", (int) each));
            } else {
                quoted.append(each);
            }
        }
        return quoted.append('"').toString();
    }
}
