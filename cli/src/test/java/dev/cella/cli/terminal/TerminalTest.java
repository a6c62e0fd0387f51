package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TerminalTest {
    @TempDir
    Path folder;

    private Terminal terminal(PrintStream out) {
        return new Terminal(
                out,
                new PrintStream(new ByteArrayOutputStream(), true),
                new ByteArrayInputStream(new byte[0]),
                new Environment(Map.of(), folder, folder, InstantSource.system()));
    }

    @Test
    void isPipe_tellsAPipeFromAFile() throws Exception {
        assertThat(Terminal.isPipe(Files.createSymbolicLink(folder.resolve("1"), Path.of("pipe:[17]"))))
                .isTrue();
        assertThat(Terminal.isPipe(Files.createSymbolicLink(folder.resolve("2"), Path.of("/dev/full"))))
                .isFalse();
        assertThat(Terminal.isPipe(folder.resolve("nosuch"))).isTrue();
    }

    @Test
    void lostData_ofAFullDisk_isTheFirstFailure() {
        Terminal full = terminal(new DataStream(new OutputStream() {
            private int times;

            @Override
            public void write(int next) throws IOException {
                throw new IOException("failure " + ++times);
            }
        }));

        full.print("one");
        full.print("two");

        assertThat(full.lostData().orElseThrow()).hasMessage("failure 1");
    }

    @Test
    void lostData_whereAllIsWritten_isNothing() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Terminal whole = terminal(new DataStream(file));

        whole.print("\u00fc");

        assertThat(whole.lostData()).isEmpty();
        assertThat(file.toByteArray()).containsExactly(0xc3, 0xbc, '\n');
    }
}
