package dev.cella.cli.chaos;

import dev.cella.chaos.CellWorld;
import dev.cella.chaos.ProcessesWorlds;
import dev.cella.chaos.processes.Abilities;
import dev.cella.chaos.processes.Enclosure;
import dev.cella.chaos.processes.RunFolder;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.cli.part.OwnCommand;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs this command among processes: first in namespaces of its own, if the machine allows them. */
final class ProcessesOption {
    private static final String ENCLOSED = "--enclosed";

    /** It mostly waits for the parts: a second compiler would take the processor from them. */
    private static final List<String> COMMAND_FLAGS = quickToStart("-Xmx512m");

    /** As small as a server can be, and quick to start. */
    private static final List<String> PART_FLAGS = quickToStart("-Xmx192m");

    @Option(
            names = ENCLOSED,
            paramLabel = "DIR",
            hidden = true,
            description = "this process is in namespaces made for it, and a folder for its files")
    private @Nullable Path enclosedIn;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    private static List<String> quickToStart(String heap) {
        return List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:MetaspaceSize=96m");
    }

    /**
     * Says what this machine cannot do, before anything starts, and runs the same command enclosed.
     *
     * @param input what this process has read from standard input, for the enclosed one
     * @return its exit code; empty if this process is to do the run
     */
    OptionalInt runEnclosed(List<PlannedFault> faults, byte[] input, Terminal terminal) throws InterruptedException {
        if (enclosedIn != null) {
            return OptionalInt.empty();
        }
        Abilities abilities = Abilities.ofThisMachine();
        checkPossible(faults, abilities.missing(faults), terminal);
        if (abilities.noNamespaces().isPresent()) {
            terminal.say("note:  " + abilities.noNamespaces().get() + "; all parts share this machine's network");
            return OptionalInt.empty();
        }
        List<String> arguments =
                new ArrayList<>(command.root().commandLine().getParseResult().originalArgs());
        RunFolder folder = RunFolder.make();
        arguments.addAll(List.of(ENCLOSED, folder.path().toString()));
        return OptionalInt.of(
                run(folder, Enclosure.around(OwnCommand.with(COMMAND_FLAGS, arguments)), input, terminal));
    }

    /** Says what will be VOID; if that is all, nothing starts. */
    static void checkPossible(List<PlannedFault> faults, Map<FaultKind, String> missing, Terminal terminal) {
        missing.forEach((kind, why) -> terminal.say("note:  " + kind.words() + " will be VOID: " + why));
        boolean allMissing = faults.stream().allMatch(fault -> missing.containsKey(fault.kind()));
        if (!faults.isEmpty() && allMissing) {
            throw ChaosFailure.couldNotRun(
                    "no fault of this scenario can be injected among processes on this machine",
                    "each is named above with what is missing; or run it with --world simulated");
        }
    }

    private static int run(RunFolder folder, List<String> inside, byte[] input, Terminal terminal)
            throws InterruptedException {
        try {
            Process process = new ProcessBuilder(inside)
                    .inheritIO()
                    .redirectInput(ProcessBuilder.Redirect.PIPE)
                    .start();
            Interruption healing = Interruption.answeredBy(() -> {
                process.destroyForcibly();
                folder.closeAfterItsUsers();
                terminal.say("interrupted: every process of the cell has ended, and every fault with them");
            });
            handOver(input, process);
            int exit = process.waitFor();
            healing.close();
            return exit;
        } catch (IOException failure) {
            throw ChaosFailure.couldNotRun(
                    "the cell's namespaces cannot be made: " + failure.getMessage(), "run it as root");
        } finally {
            folder.closeAfterItsUsers();
        }
    }

    private static void handOver(byte[] input, Process process) {
        try (OutputStream its = process.getOutputStream()) {
            its.write(input);
        } catch (IOException ended) {
            // It has ended already, and its exit code says why.
        }
    }

    CellWorld worlds(List<String> plugins, Terminal terminal) {
        return new ProcessesWorlds(
                OwnCommand.with(PART_FLAGS, List.of()), plugins, Optional.ofNullable(enclosedIn), terminal::say);
    }
}
