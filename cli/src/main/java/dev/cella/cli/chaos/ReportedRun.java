package dev.cella.cli.chaos;

import dev.cella.chaos.CellWorld;
import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.SimulatedWorlds;
import dev.cella.chaos.proto.JudgedChecker;
import dev.cella.chaos.proto.ReplayFile;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.json.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The run of a report: what it was, and the world in which to make it again. */
final class ReportedRun {
    private final ReplayFile file;
    private final Scenario scenario;

    private ReportedRun(ReplayFile file) {
        this.file = file;
        this.scenario = ScenarioFiles.scenario(file.getReplay());
    }

    static ReportedRun read(String report, PluginOption plugins, Terminal terminal) {
        ReplayFile file = new ReportFiles(terminal, null).read(report);
        List<Fault> types = ScenarioSchedulers.faultsIn(file.getReplay(), plugins.types(terminal));
        if (!types.isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    report + ": replay." + types.get(0).path() + ": "
                            + types.get(0).message(),
                    "name the jar that the run had: --plugin JAR");
        }
        List<Fault> wrong = ScenarioFiles.faultsIn(file.getReplay());
        if (!wrong.isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    report + ": replay." + wrong.get(0).path() + ": "
                            + wrong.get(0).message(),
                    "replay it with the Cella that wrote the report");
        }
        return new ReportedRun(file);
    }

    /** The command that repeats the run of a report. */
    static String replay(String report, PluginOption plugins) {
        StringBuilder words = new StringBuilder("cella chaos replay ").append(ShellWords.quoted(report));
        plugins.jars().forEach(jar -> words.append(" --plugin ").append(ShellWords.quoted(jar)));
        return words.toString();
    }

    /** With exactly the faults of the run. */
    Scenario scenario() {
        return scenario;
    }

    long seed() {
        return file.getSeed();
    }

    String digest() {
        return file.getDigest();
    }

    World world() {
        return World.find(file.getWorld()).orElse(World.SIMULATED);
    }

    /** The numbers of the checkers that did not hold. */
    Set<String> failed() {
        return file.getCheckersList().stream()
                .filter(checker -> !checker.getHolds())
                .map(JudgedChecker::getChecker)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The second run that a repetition needs: the checkers that did not hold decide, or the only checker of the scenario. */
    ChaosRun.Second second() {
        return ChaosRun.Second.neededBy(failed().isEmpty() ? onlyJudge() : failed());
    }

    private List<String> onlyJudge() {
        List<String> judges = scenario.checkers().stream().distinct().toList();
        return judges.size() == 1 ? judges : List.of();
    }

    /** As {@link ProcessesOption#runEnclosed} for a run of processes; a simulated run needs no enclosure. */
    OptionalInt runEnclosed(ProcessesOption processes, Terminal terminal) throws InterruptedException {
        return world() == World.PROCESSES
                ? processes.runEnclosed(scenario.faults(), new byte[0], terminal)
                : OptionalInt.empty();
    }

    CellWorld again(PluginOption plugins, ProcessesOption processes, Terminal terminal) {
        return world() == World.SIMULATED
                ? new SimulatedWorlds(plugins.types(terminal))
                : processes.worlds(
                        plugins.files(terminal).stream().map(Path::toString).toList(), terminal);
    }
}
