package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The sums over many seeds: how often each fault was injected and bit, and how many runs each checker had a case in. */
final class SeedTotals {
    private final SortedMap<String, FaultTotal> faults = new TreeMap<>();
    private final Map<String, CheckerTotal> checkers = new LinkedHashMap<>();
    private int seeds;

    private record FaultTotal(int injected, int bit) {
        FaultTotal plus(FaultRun run) {
            return new FaultTotal(injected + 1, bit + (run.bit() ? 1 : 0));
        }
    }

    private record CheckerTotal(String holds, int judged, int failed) {
        CheckerTotal plus(Verdict verdict) {
            return new CheckerTotal(holds, judged + (verdict.judged() ? 1 : 0), failed + (verdict.held() ? 0 : 1));
        }
    }

    void add(Checked run) {
        seeds++;
        for (FaultRun fault : run.result().faults()) {
            String name = fault.kind().words();
            faults.put(name, faults.getOrDefault(name, new FaultTotal(0, 0)).plus(fault));
        }
        for (Verdict verdict : run.verdicts()) {
            CheckerTotal before = checkers.getOrDefault(verdict.checker(), new CheckerTotal(verdict.holds(), 0, 0));
            checkers.put(verdict.checker(), before.plus(verdict));
        }
    }

    void print(Terminal terminal) {
        Table injected = new Table("FAULT", ">TIMES", ">BIT");
        faults.forEach(
                (name, total) -> injected.row(name, String.valueOf(total.injected()), String.valueOf(total.bit())));
        injected.print(terminal);
        terminal.print("");
        Table judged = new Table("CHECKER", ">SEEDS WITH A CASE", ">FAILED", "WHAT MUST HOLD");
        checkers.forEach((number, total) ->
                judged.row(number, String.valueOf(total.judged()), String.valueOf(total.failed()), total.holds()));
        judged.print(terminal);
        terminal.print("");
    }

    Map<String, Object> data() {
        List<Map<String, Object>> ofFaults = new ArrayList<>();
        faults.forEach((name, total) -> {
            Map<String, Object> fault = new LinkedHashMap<>();
            fault.put("fault", name);
            fault.put("times", total.injected());
            fault.put("bit", total.bit());
            ofFaults.add(fault);
        });
        List<Map<String, Object>> ofCheckers = new ArrayList<>();
        checkers.forEach((number, total) -> {
            Map<String, Object> checker = new LinkedHashMap<>();
            checker.put("checker", number);
            checker.put("judged", total.judged());
            checker.put("failed", total.failed());
            ofCheckers.add(checker);
        });
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("seeds", seeds);
        data.put("faults", ofFaults);
        data.put("checkers", ofCheckers);
        return data;
    }
}
