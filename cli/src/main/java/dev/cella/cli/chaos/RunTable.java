package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.report.RunReport;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.Optional;

/** One run for people: its faults, its verdicts, and how to run it again. */
final class RunTable {
    private static final int VIOLATIONS_MAX = 5;

    private final Terminal terminal;

    RunTable(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(Checked run, int seeds) {
        print(run, seeds, Optional.empty());
    }

    void print(Checked run, int seeds, Optional<String> speed) {
        Table faults = new Table("FAULT", "ON", ">FROM", ">UNTIL", "BIT");
        for (FaultRun fault : run.result().faults()) {
            faults.row(
                    fault.kind().words(),
                    fault.on(),
                    fault.fromMillis() + " ms",
                    fault.untilMillis() + " ms",
                    fault.verdict());
        }
        faults.print(terminal);
        terminal.print("");
        Table checkers = new Table("CHECKER", "HOLDS", "WHAT MUST HOLD");
        run.verdicts().forEach(verdict -> checkers.row(verdict.checker(), words(verdict), verdict.holds()));
        checkers.print(terminal);
        terminal.print("");
        run.verdicts().stream().filter(verdict -> !verdict.held()).forEach(this::printViolations);
        if (seeds > 1 && run.holds() && run.canarySeen()) {
            terminal.print(seeds + " seeds hold; the run above is one of them");
        }
        speed.ifPresent(terminal::print);
        terminal.print("canary " + (run.canarySeen() ? "SEEN" : "MISSED") + ", digest " + RunReport.digest(run));
        terminal.print("seed " + run.seed());
        terminal.print(run.command());
    }

    private static String words(Verdict verdict) {
        return !verdict.held() ? "NO" : verdict.judged() ? "yes" : "no case";
    }

    private void printViolations(Verdict verdict) {
        verdict.violations().stream()
                .limit(VIOLATIONS_MAX)
                .forEach(each -> terminal.print(verdict.checker() + " at " + each.at() + ": " + each.what()));
        if (verdict.violations().size() > VIOLATIONS_MAX) {
            terminal.print(verdict.checker() + ": " + verdict.violations().size() + " violations");
        }
    }
}
