package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules of SEMANTICS section 5 as texts that a newcomer can read, one file per rule. They are the examples of {@code
 * docs/transactions.md}. Run with {@code -Dcella.transcripts.rewrite=true} to write the present results, and read the
 * difference.
 */
class TranscriptTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/cella/transactions/transcripts");

    static List<Path> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void transcript_runAgain_saysTheSame(Path file) throws IOException {
        String said = Files.readString(file);
        String says = Transcript.run(said);
        if (Boolean.getBoolean("cella.transcripts.rewrite")) {
            Files.writeString(file, says);
        } else {
            assertThat(says).as(file.getFileName().toString()).isEqualTo(said);
        }
    }
}
