package dev.cella.cli.chaos;

import dev.cella.chaos.proto.ScenarioFile;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.SchedulerSpec;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.InputFile;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.Fault;
import dev.cella.client.json.Located;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The scenario to run, and its schedulers. */
final class ScenarioOptions {
    private static final long DECISION_MILLIS = 20;
    private static final String STANDARD_INPUT = "-";

    @Parameters(paramLabel = "SCENARIO", description = "the name of a scenario (cella chaos list), or a file")
    private String scenario = "";

    @Option(
            names = "--scheduler",
            paramLabel = "TYPE[:NAME]",
            description =
                    "a scheduler in place of the scenario's own; one of those stays as a rival. May be given again")
    private List<String> schedulers = List.of();

    @Mixin
    private final PluginOption plugins = new PluginOption();

    private byte[] piped = {};

    SchedulerTypes types(Terminal terminal) {
        return plugins.types(terminal);
    }

    /** The jars that bring types of one's own. */
    List<String> plugins(Terminal terminal) {
        return plugins.files(terminal).stream().map(Path::toString).toList();
    }

    Scenario read(Terminal terminal, SchedulerTypes types) {
        Scenario found = find(terminal, types);
        for (String each : schedulers) {
            ScenarioSchedulers.wrongType(typeOf(each), types).ifPresent(wrong -> {
                throw ChaosFailure.couldNotRun(wrong, "cella scheduler types shows them; --plugin JAR adds one");
            });
        }
        return schedulers.isEmpty() ? found : found.withSchedulers(chosenSchedulers(found));
    }

    private static String typeOf(String typeAndName) {
        return typeAndName.split(":", 2)[0];
    }

    /** The scenario as it came from standard input, which can be read once; empty if it did not come from there. */
    byte[] piped() {
        return piped.clone();
    }

    /** What the user said of the scenario and its schedulers, for the command that runs it again. */
    String again() {
        StringBuilder words = new StringBuilder(ShellWords.quoted(scenario));
        plugins.jars().forEach(jar -> words.append(" --plugin ").append(ShellWords.quoted(jar)));
        schedulers.forEach(each -> words.append(" --scheduler ").append(ShellWords.quoted(each)));
        return words.toString();
    }

    private List<SchedulerSpec> chosenSchedulers(Scenario found) {
        List<SchedulerSpec> chosen = new ArrayList<>();
        for (String each : schedulers) {
            String[] typeAndName = each.split(":", 2);
            String name = typeAndName.length > 1 ? typeAndName[1] : typeAndName[0];
            chosen.add(new SchedulerSpec(name, typeAndName[0], Map.of(), DECISION_MILLIS));
        }
        found.schedulers().stream()
                .filter(own -> chosen.stream().noneMatch(each -> each.name().equals(own.name())))
                .limit(1)
                .forEach(chosen::add);
        return chosen;
    }

    private Scenario find(Terminal terminal, SchedulerTypes types) {
        return ScenarioFiles.shipped(scenario).orElseGet(() -> readFile(terminal, types));
    }

    private Scenario readFile(Terminal terminal, SchedulerTypes types) {
        boolean looksLikeAFile = scenario.equals(STANDARD_INPUT)
                || scenario.contains(".")
                || Files.exists(terminal.environment().path(scenario));
        if (!looksLikeAFile) {
            String near = NearestName.to(scenario, ScenarioFiles.SHIPPED)
                    .map(name -> "did you mean " + name + "? ")
                    .orElse("");
            throw ChaosFailure.couldNotRun(
                    "there is no scenario " + scenario, near + "cella chaos list shows them; or name a file");
        }
        InputFile file = new InputFile(scenario, "scenario", "docs/chaos.md describes scenario files", terminal);
        try {
            byte[] content = file.content();
            piped = scenario.equals(STANDARD_INPUT) ? content : piped;
            Located<ScenarioFile> located = file.read(ScenarioFile.getDefaultInstance(), content);
            if (located.message().equals(ScenarioFile.getDefaultInstance())) {
                throw new BadInput(List.of(Fault.of("", "there is no scenario in it")));
            }
            List<Fault> wrong = ScenarioFiles.faultsWritten(located.message());
            wrong.addAll(ScenarioSchedulers.faultsIn(located.message(), types));
            if (!wrong.isEmpty()) {
                throw new BadInput(located.locate(wrong));
            }
            return ScenarioFiles.scenario(located.message());
        } catch (BadInput bad) {
            throw ChaosFailure.couldNotRun(file.refuse(bad.faults()));
        } catch (CommandFailure failure) {
            throw ChaosFailure.couldNotRun(failure);
        }
    }
}
