package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a user sees of the commands that need no cell: the text files under {@code transcripts}, each a series of commands
 * with their output, messages and exit code. {@code -Dtranscripts=rewrite} writes them again, to be read in the diff.
 */
final class TranscriptTest {
    private static final Path FOLDER = Path.of("src/test/resources/transcripts");
    private static final String PROMPT = "$ cella";

    private static final String WRONG_JOB = """
        name: wrong
        type: batsch
        groups:
          - count: three
            resources: {cpuMili: 100, memory: 1Gi}
            run: {comand: [echo]}
        """;

    private static final String WRONG_SERVER = """
        cell: three
        data: d
        replica: r1
        electonTimeout: 700ms
        rpc: carrierPigeon
        replicas:
          - {name: r1, log: "10.0.0.1:7071", adress: "http://10.0.0.1:7070"}
        """;

    private static final String WRONG_CHAOS = """
        name: wrong
        replicas: 4
        checkers: [C1, C71]
        faults:
          - {fault: replica-kil, on: leader, at: 3s}
          - {fault: replica-pause, on: leadr, at: 3s}
        """;

    private static final String WRONG_CHAOS_NUMBERS = """
            name: ../wrong
            machines: 0
            safety: 0s
            liveness: 0s
            load: {jobs: 200000, tasksMax: 0, runTime: 0s, failuresInHundred: 101}
            swarm: 2000
            """;

    private static final String WRONG_CHAOS_PARTS = """
            safety: 10s
            schedulers:
              - {name: a, type: batsch}
              - {name: a, type: batch, options: {placment: tight}}
              - {name: B, type: batch}
              - {decision: 5ms}
            faults:
              - {fault: hoarder, at: 10s}
              - {fault: hoarder, at: 9s, for: 0s}
            """;

    private static final String REPORT_OF_ANOTHER_CELLA = """
            {"seed": 7, "world": "simulated", "replay": {"replicas": 3, "faults": [{"fault": "solar-flare", "at": "1s"}]}}
            """;

    private static final String REPORT_OF_A_PLUGIN = """
            {"seed": 7, "world": "simulated", "replay": {"schedulers": [{"name": "mine", "type": "mine"}]}}
            """;

    private static final String WRONG_CHAOS_FIELD = """
        name: wrong
        faults:
          - {fault: replica-kill, one: leader, at: soon}
        """;

    @TempDir
    private Path home;

    static Stream<Path> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void theUserSeesWhatTheTranscriptSays(Path transcript) throws IOException {
        Files.copy(Path.of("../examples/hello.yaml"), home.resolve("right.yaml"));
        Files.writeString(home.resolve("wrong.yaml"), WRONG_JOB);
        Files.writeString(home.resolve("truncated.tr"), "0.5 2 1.5 1.0 2.0\n1.5 3 1.0 1.0");
        Files.writeString(home.resolve("wrong-server.yaml"), WRONG_SERVER);
        Files.writeString(home.resolve("wrong-chaos.yaml"), WRONG_CHAOS);
        Files.writeString(home.resolve("wrong-chaos-field.yaml"), WRONG_CHAOS_FIELD);
        Files.writeString(home.resolve("wrong-chaos-numbers.yaml"), WRONG_CHAOS_NUMBERS);
        Files.writeString(home.resolve("wrong-chaos-parts.yaml"), WRONG_CHAOS_PARTS);
        Files.writeString(home.resolve("of-another-cella.json"), REPORT_OF_ANOTHER_CELLA);
        Files.writeString(home.resolve("of-a-plugin.json"), REPORT_OF_A_PLUGIN);
        List<String> expected = Files.readAllLines(transcript);
        StringBuilder seen = new StringBuilder();
        for (String line : expected) {
            if (line.startsWith(PROMPT)) {
                seen.append(line)
                        .append('\n')
                        .append(play(line.substring(PROMPT.length()).strip()));
            }
        }
        if (System.getProperty("transcripts", "").equals("rewrite")) {
            Files.writeString(transcript, seen);
            return;
        }
        assertThat(seen.toString()).isEqualTo(String.join("\n", expected) + "\n");
    }

    private String play(String arguments) {
        TypedCommand typed = new TypedCommand(home);
        int code = new CellaCommand(typed.terminal()).run(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        return typed.out() + typed.err() + "exit code " + code + "\n\n";
    }
}
