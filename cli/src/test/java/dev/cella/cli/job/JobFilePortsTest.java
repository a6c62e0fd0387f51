package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong ports are refused where they are in the file. */
class JobFilePortsTest {
    private static final String WITHOUT_PORTS = """
        name: web
        type: service
        groups:
          - name: main
            count: 1
            resources: {cpuMilli: 10, memoryMib: 16}
            run: {command: ["true"]}
            ports:
        """;

    @TempDir
    private Path folder;

    private String refusal(String ports) throws Exception {
        Files.writeString(folder.resolve("web.yaml"), WITHOUT_PORTS + ports.indent(6));
        CommandFailure refused = catchThrowableOfType(
                CommandFailure.class, () -> JobFile.read("web.yaml", new TypedCommand(folder).terminal()));
        return String.valueOf(refused.getMessage());
    }

    @Test
    void portOutOfRange_isNamedWithLineAndColumn() throws Exception {
        assertThat(refusal("http: 70000"))
                .isEqualTo("web.yaml:9:13: groups[0].ports.http: must be from 1 to 65535, or 0 for any, is 70000");
        assertThat(refusal("http: 65536")).contains("web.yaml:9:13: ", "is 65536");
        assertThat(refusal("http: -1")).isEqualTo("web.yaml:9:13: groups[0].ports.http: must not be negative, is -1");
    }

    @Test
    void portThatTwoNamesHave_isNamedWithLineAndColumn() throws Exception {
        assertThat(refusal("""
            http: 8080
            admin: 8081
            peer: 8080
            """))
                .isEqualTo("web.yaml:11:13: groups[0].ports.peer: another port of the group is 8080 too");
    }

    @Test
    void nameThatIsThereTwice_isNamedWithLineAndColumn() throws Exception {
        assertThat(refusal("""
            http: 8080
            http: 8081
            """)).isEqualTo("web.yaml:10:7: groups[0].ports.http: is given twice");
    }
}
