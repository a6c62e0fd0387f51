package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.ChaosRun.Second;
import dev.cella.chaos.check.Twin;
import dev.cella.chaos.processes.CouldNotRunException;
import dev.cella.chaos.report.RunReport;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella chaos run}: one scenario, with one seed or many. */
@Command(
        name = "run",
        header = "Runs a scenario and checks everything that must hold.",
        description = {
            "The same scenario and seed give the same run, bit for bit; its digest says so.",
            "Exit code 0: all checkers hold. 1: a violation. 2: it could not run. 3: every fault was VOID."
        },
        footer = {
            "",
            "Examples:",
            "  cella chaos run leader-loss --seed 7 --out report",
            "  cella chaos run everything --seeds 1000",
            "  cella chaos run paused-leader --world processes --out report"
        })
public final class ChaosRunCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final int FAILURES_MAX = 10;

    /** How many runs may wait for a longer one, whose seed comes first. Each keeps its history meanwhile. */
    private static final int AHEAD = 14;

    private final Terminal terminal;
    private final RunSpeed speed = new RunSpeed();
    private final SeedTotals totals = new SeedTotals();

    @Mixin
    private final ScenarioOptions scenarios = new ScenarioOptions();

    @Option(
            names = "--world",
            paramLabel = "simulated|processes",
            description = "a simulated cell in virtual time, or real processes (default: simulated)")
    private String world = World.SIMULATED.words();

    @Mixin
    private final ProcessesOption processes = new ProcessesOption();

    @Option(names = "--no-twin", description = "leaves out the run without faults that shows what the faults cost")
    private boolean noTwin;

    @Option(names = "--seed", paramLabel = "N", description = "the first seed (default: 1)")
    private long seed = 1;

    @Option(names = "--seeds", paramLabel = "N", description = "how many seeds to run, one after another (default: 1)")
    private int seeds = 1;

    @Option(names = "--twice", description = "runs each seed twice and demands the same run, bit for bit")
    private boolean twice;

    @Option(names = "--for", paramLabel = "DURATION", description = "how long faults are injected, in virtual time")
    private @Nullable Duration length;

    @Option(names = "--out", paramLabel = "DIR", description = "where the reports are written, as JSON and HTML")
    private @Nullable String out;

    @Mixin
    private final OutputOption output = new OutputOption();

    public ChaosRunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        output.refuseNames();
        World in = World.find(world).orElseThrow(this::noSuchWorld);
        if (seeds < 1) {
            throw ChaosFailure.couldNotRun("--seeds must be 1 or more, is " + seeds, "leave it out for one run");
        }
        if (twice && in != World.SIMULATED) {
            throw ChaosFailure.couldNotRun(
                    "--twice needs the simulated world: no two runs of processes are the same", "leave out --world");
        }
        SchedulerTypes types = scenarios.types(terminal);
        Scenario read = scenarios.read(terminal, types);
        if (length != null && length.toMillis() < 1) {
            throw ChaosFailure.couldNotRun(
                    "--for must be longer than 0: faults are injected meanwhile",
                    "leave it out for the scenario's own time");
        }
        Scenario scenario = length == null ? read : read.withSafetyMillis(length.toMillis());
        checkIsJudged(scenario);
        ReportFiles files = new ReportFiles(terminal, out).prepared();
        if (in == World.PROCESSES) {
            OptionalInt enclosed = processes.runEnclosed(faults(scenario, in), scenarios.piped(), terminal);
            if (enclosed.isPresent()) {
                return enclosed.getAsInt();
            }
        }
        ChaosRun chaos = in == World.SIMULATED
                ? new ChaosRun(scenario, types)
                : new ChaosRun(scenario, processes.worlds(scenarios.plugins(terminal), terminal));
        List<Checked> kept = runAll(chaos.withCommand(of -> again(in, of)), in, files);
        kept.stream().filter(run -> !isFailed(run)).forEach(files::write);
        Checked shown =
                kept.stream().filter(ChaosRunCommand::isFailed).findFirst().orElse(kept.get(kept.size() - 1));
        output.print(terminal, () -> data(shown, in), () -> print(shown, in));
        return ChaosExit.of(kept).number();
    }

    private Second second() {
        return twice ? Second.SAME : seeds == 1 && !noTwin ? Second.TWIN : Second.NONE;
    }

    private void checkIsJudged(Scenario scenario) {
        if (second() == Second.NONE
                && scenario.checkers().stream().distinct().toList().equals(List.of(Twin.NUMBER))) {
            throw ChaosFailure.couldNotRun(
                    "no checker would judge it: the scenario names " + Twin.NUMBER
                            + " alone, which compares a run with its twin without faults",
                    "leave out --no-twin, and run one seed at a time");
        }
    }

    private void print(Checked shown, World in) {
        if (seeds > 1) {
            totals.print(terminal);
        }
        new RunTable(terminal).print(shown, seeds, speedOf(in));
    }

    private String again(World in, long of) {
        return "cella chaos run " + scenarios.again()
                + (in == World.SIMULATED ? "" : " --world " + in.words())
                + (length == null ? "" : " --for " + length.toMillis() + "ms")
                + (twice ? " --twice" : noTwin ? " --no-twin" : "")
                + " --seed " + of;
    }

    private CommandFailure noSuchWorld() {
        return ChaosFailure.couldNotRun(
                "there is no world " + world,
                NearestName.to(world, World.names())
                        .map(near -> "did you mean " + near + "?")
                        .orElse("there are " + String.join(" and ", World.names())));
    }

    /** The faults of all seeds: each draws its own. */
    private List<PlannedFault> faults(Scenario scenario, World in) {
        return LongStream.range(seed, seed + seeds)
                .boxed()
                .flatMap(of -> scenario.faultsOf(of, in).stream())
                .toList();
    }

    /** Among processes time is real. */
    private Optional<String> speedOf(World in) {
        return in == World.SIMULATED ? Optional.of(speed.text()) : Optional.empty();
    }

    private Map<String, Object> data(Checked shown, World in) {
        Map<String, Object> data = new LinkedHashMap<>(RunReport.data(shown));
        if (in == World.SIMULATED) {
            data.put("timesRealTime", Math.round(speed.timesRealTime()));
        }
        if (seeds > 1) {
            data.put("seeds", seeds);
            data.put("totals", totals.data());
        }
        return data;
    }

    /** Keeps the failing runs, and one run in which faults had an effect, or the last. */
    private List<Checked> runAll(ChaosRun chaos, World in, ReportFiles files) throws InterruptedException {
        int threads =
                in == World.PROCESSES ? 1 : Math.min(seeds, Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Checked> kept = new ArrayList<>();
        AtomicInteger checked = new AtomicInteger();
        Interruption interruption = Interruption.answeredBy(() -> interrupted(checked.get()));
        try {
            List<Future<Checked>> ahead = new ArrayList<>();
            Instant said = terminal.environment().clock().instant();
            for (int place = 0; place < seeds; place++) {
                while (ahead.size() < (in == World.PROCESSES ? 1 : threads + AHEAD) && place + ahead.size() < seeds) {
                    long next = seed + place + ahead.size();
                    ahead.add(executor.submit(() -> run(chaos, next)));
                }
                Checked run = result(ahead.remove(0), seed + place);
                keep(kept, run);
                totals.add(run);
                if (isFailed(run)) {
                    // At once: the next seeds may take long, and Ctrl-C must not lose it.
                    files.write(run);
                }
                if (seeds > 1 && isFailed(run)) {
                    terminal.say("seed " + run.seed() + " failed: "
                            + (run.holds() ? "the canary was MISSED" : String.join(", ", run.failed())));
                }
                checked.incrementAndGet();
                said = sayProgress(place + 1, kept, said);
                if (failures(kept) >= FAILURES_MAX) {
                    terminal.say("stopped after " + FAILURES_MAX + " failing seeds");
                    break;
                }
            }
            return kept;
        } finally {
            interruption.close();
            executor.shutdownNow();
        }
    }

    private Checked run(ChaosRun chaos, long of) {
        Second second = second();
        Checked checked = speed.measure(() -> chaos.run(of, second));
        speed.ran(checked.result(), second == Second.NONE ? 1 : 2);
        return checked;
    }

    /** The simulated world is in this process alone: it ends with it, and every fault does. */
    private void interrupted(int checked) {
        terminal.say(
                "interrupted after " + checked + " of " + seeds + " seeds; every fault has ended with this process");
        if (checked < seeds) {
            terminal.say("the first seed that was not checked: --seed " + (seed + checked));
        }
    }

    private Checked result(Future<Checked> run, long of) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CouldNotRunException why) {
                if (seeds > 1) {
                    terminal.say("seed " + of + " could not run");
                }
                throw ChaosFailure.couldNotRun(why);
            }
            throw new IllegalStateException("the run of seed " + of + " ended without a result", failed.getCause());
        }
    }

    private static void keep(List<Checked> kept, Checked run) {
        boolean failed = isFailed(run);
        kept.removeIf(other -> !isFailed(other) && (failed || run.bit() || !other.bit()));
        if (failed || kept.isEmpty()) {
            kept.add(run);
        }
    }

    private static boolean isFailed(Checked run) {
        return !run.holds() || !run.canarySeen();
    }

    private static long failures(List<Checked> kept) {
        return kept.stream().filter(ChaosRunCommand::isFailed).count();
    }

    private Instant sayProgress(int done, List<Checked> kept, Instant said) {
        Instant now = terminal.environment().clock().instant();
        if (done == seeds || Duration.between(said, now).compareTo(PAUSE) < 0) {
            return said;
        }
        terminal.say(done + " of " + seeds + " seeds, " + failures(kept) + " failed");
        return now;
    }
}
