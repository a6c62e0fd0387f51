package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The pages of the reference that are made from the program. {@code -Dtranscripts=rewrite} writes them again: read the diff. */
final class ReferencePagesTest {
    private static final Path DOCS = Path.of("../docs");

    @Test
    void commandPage_isMadeFromTheCommands() throws IOException {
        compare("reference-command.md", new CommandPage(line()).text());
    }

    @Test
    void configurationPage_isMadeFromTheFilesOfTheParts() throws IOException {
        compare("reference-configuration.md", new ConfigurationPage(line()).text());
    }

    @Test
    void jobFilePage_isMadeFromTheJob() throws IOException {
        compare("reference-job.md", new JobFilePage().text());
    }

    private static CommandLine line() {
        return new CellaCommand(new TypedCommand(Path.of(".")).terminal()).line();
    }

    private static void compare(String name, String made) throws IOException {
        Path page = DOCS.resolve(name);
        String text = made.stripTrailing() + "\n";
        if (System.getProperty("transcripts", "").equals("rewrite")) {
            Files.writeString(page, text);
        }
        assertThat(Files.readString(page)).isEqualTo(text);
    }
}
