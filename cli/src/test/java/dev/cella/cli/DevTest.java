package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import dev.cella.cli.terminal.Words;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code cella dev} as its user meets it: a process, beside which the other commands are typed. */
@EnabledOnOs(OS.LINUX)
final class DevTest {
    private static final String HELLO =
            Path.of("../examples/hello.yaml").toAbsolutePath().toString();

    @TempDir
    private Path home;

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES) // another test may hold the default port
    void aJobRuns_isStillShownAfterARestart_twoOfEverythingAreRefused_andTheImpossibleFailsAtOnce() throws Exception {
        String data = home.resolve("data").toString();
        try (DevProcess dev = DevProcess.start(
                home, "--port", "0", "--data", data, "--machines", "2", "--scheduler", "batch:night")) {
            assertThat(type("job", "run", HELLO, "--wait").code()).isZero();
            assertThat(type("job", "logs", "hello/main/2").out()).isEqualTo("hello from task 2\n");
            assertThat(type("machine", "list").out()).contains("hollow-001  READY", "hollow-002  READY");
            assertThat(type("schedulers", "-o", "name").out()).contains("batch", "night");
            assertThat(Path.of(data).resolve("dev.log")).isNotEmptyFile();
            anotherOnTheSamePort_isRefused(dev);
            anotherOnTheSameData_isRefused(dev, data);
            dev.stop();
        }
        try (DefaultPort port = DefaultPort.hold()) {
            assertThat(port).isNotNull();
            assertThat(type("job", "list").err()).startsWith("error: no cell answers at http://127.0.0.1:7070");
        }

        try (DevProcess again = DevProcess.start(home, "--port", "0", "--data", data, "--machines", "1")) {
            assertThat(type("job", "list").out()).contains("hello  batch  batch      FINISHED");
            hollowMachinesGo_whenTheyAreNotAskedForAgain();
            impossibleCommands_failAtOnce_withTheirExitCodes();
            largeOutput_beginsWithAWholeLine_andSaysWhatIsGone();
            escapesOfATask_areHarmlessOnATerminal_andWholeInAPipe();
            again.stop();
        }
    }

    private void anotherOnTheSamePort_isRefused(DevProcess dev) throws Exception {
        String port = Integer.toString(dev.port());
        Path unused = home.resolve("unused");
        try (DevProcess another = DevProcess.start(home, "--port", port, "--data", unused.toString())) {
            assertThat(another.lines())
                    .containsExactly(
                            "error: port " + port + " is in use by a cella dev (pid " + dev.processId() + ")",
                            "hint:  use it (cella status), or start another with --port 0 --data DIR");
            assertThat(another.exitCode()).isEqualTo(1);
            assertThat(unused).doesNotExist();
        }
    }

    private void anotherOnTheSameData_isRefused(DevProcess dev, String data) throws Exception {
        try (DevProcess another = DevProcess.start(home, "--port", "0", "--data", data)) {
            assertThat(another.lines())
                    .containsExactly(
                            "error: data directory " + data + " is in use by a cella dev (pid " + dev.processId() + ")",
                            "hint:  use it (cella status), or start another with --port 0 --data DIR");
            assertThat(another.exitCode()).isEqualTo(1);
        }
    }

    private void hollowMachinesGo_whenTheyAreNotAskedForAgain() {
        assertThat(type("machine", "list").out()).contains("hollow-001  READY").doesNotContain("hollow-002");
    }

    private void impossibleCommands_failAtOnce_withTheirExitCodes() throws Exception {
        Files.writeString(home.resolve("big.yaml"), job("big", 1_000_000, "true"));
        Answer big = type("job", "run", "big.yaml", "--wait");
        assertThat(big.code()).isEqualTo(2);
        assertThat(big.err())
                .contains("error: big can never be placed: group main asks 1000000 cpuMilli a task, and the largest"
                        + " machine, ");
        assertThat(type("job", "status", "big").code()).isEqualTo(1);

        Files.writeString(home.resolve("bad.yaml"), job("bad", 10, "false"));
        Answer bad = type("job", "run", "bad.yaml", "--wait");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.err()).contains("error: task bad/main/0 failed for good with exit code 1");

        assertThat(type("machine", "status", "nosuch").code()).isEqualTo(1);
        assertThat(type("job", "logs", "nosuch").code()).isEqualTo(1);
    }

    private void largeOutput_beginsWithAWholeLine_andSaysWhatIsGone() throws Exception {
        Files.writeString(home.resolve("large.yaml"), job("large", 10, "sh", "-c", "yes 0123456 | head -c 20000000"));
        assertThat(type("job", "run", "large.yaml", "--wait").code()).isZero();
        Answer logs = type("job", "logs", "large/main/0");
        assertThat(logs.out()).startsWith("0123456\n").endsWith("0123456\n").hasSizeLessThanOrEqualTo(16 << 20);
        assertThat(logs.err())
                .isEqualTo("note:  large/main/0: the first "
                        + Words.bytes(20_000_000 - logs.out().length())
                        + " are not kept; the agent keeps 16 MiB of each stream (cella agent --log-limit-mib)\n");
        assertThat(type("job", "logs", "large/main/0", "--tail", "1")).isEqualTo(new Answer("0123456\n", "", 0));
    }

    private void escapesOfATask_areHarmlessOnATerminal_andWholeInAPipe() throws Exception {
        String printed = "\\\\033]0;title\\\\007\\\\033[2Jend\\\\n";
        Files.writeString(home.resolve("escapes.yaml"), job("escapes", 10, "printf", printed));
        assertThat(type("job", "run", "escapes.yaml", "--wait").code()).isZero();
        assertThat(type("job", "logs", "escapes/main/0").out()).isEqualTo("\u001b]0;title\u0007\u001b[2Jend\n");
        assertThat(typeOnATerminal("job", "logs", "escapes/main/0"))
                .contains("^[]0;title^G^[[2Jend")
                .doesNotContain("\u001b", "\u0007");
    }

    /** All that the command writes to its terminal. */
    private String typeOnATerminal(String... arguments) throws Exception {
        String command = String.join("' '", CommandClasses.command(List.of("-Xmx64m"), arguments));
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", "'" + command + "'", "/dev/null")
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true);
        builder.environment().putAll(Map.of("HOME", home.toString(), "TERM", "xterm"));
        builder.environment().remove("XDG_DATA_HOME");
        Process process = builder.start();
        String written = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(written).isZero();
        return written;
    }

    @Test
    void taskUserThatIsNot_isRefusedBeforeAnythingIsMade() throws Exception {
        Path unused = home.resolve("unused");
        try (DevProcess dev =
                DevProcess.start(home, "--port", "0", "--data", unused.toString(), "--task-user", "nosuch")) {
            assertThat(dev.exitCode()).isEqualTo(1);
            assertThat(dev.lines())
                    .hasSize(2)
                    .first()
                    .asString()
                    .startsWith("error: ")
                    .contains("nosuch");
            assertThat(unused).doesNotExist();
        }
    }

    /** For the machine that runs processes. */
    private static String job(String name, long cpuMilli, String... command) {
        return """
            name: %s
            type: batch
            groups:
              - resources: {cpuMilli: %d, memoryMib: 16}
                constraints: [{attribute: hollow, operator: absent}]
                run: {command: ["%s"]}
                restart: {attempts: 0}
            """.formatted(name, cpuMilli, String.join("\", \"", command));
    }

    /** What a command printed and how it ended. */
    private record Answer(String out, String err, int code) {}

    private Answer type(String... arguments) {
        TypedCommand typed = new TypedCommand(home);
        int code = new CellaCommand(typed.terminal()).run(arguments);
        return new Answer(typed.out(), typed.err(), code);
    }
}
