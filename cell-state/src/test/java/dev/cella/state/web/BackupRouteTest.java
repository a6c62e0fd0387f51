package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupRouteTest {
    /** More than is buffered, so a part of it is on the disk when the writer fails. */
    private static final byte[] PART = new byte[1 << 20];

    @TempDir
    private Path folder;

    @Test
    void write_wholeContent_isInTheFile() throws Exception {
        Path file = folder.resolve("backup");
        BackupRoute.write(file, BackupRouteTest::roomy, out -> out.write(PART));
        assertThat(Files.readAllBytes(file)).isEqualTo(PART);
    }

    @Test
    void write_diskThatIsFull_leavesNoFile() {
        IOException full = new IOException("no space left on device");
        assertThatThrownBy(() -> BackupRoute.write(folder.resolve("backup"), BackupRouteTest::roomy, out -> {
                    out.write(PART);
                    throw full;
                }))
                .isSameAs(full);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void write_diskThatIsNearlyFull_isRefusedWhileTheLogStillHasRoom_andLeavesNoFile() {
        Path file = folder.resolve("backup");
        long free = BackupRoute.FREE_BYTES_MIN + 2L * PART.length;
        List<Long> written = new ArrayList<>();
        assertThatThrownBy(() ->
                        BackupRoute.write(file, () -> free - file.toFile().length(), out -> {
                            for (int part = 0; part < 4; part++) {
                                out.write(PART);
                                written.add(file.toFile().length());
                            }
                        }))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.type()).isEqualTo(ProblemType.OVERLOADED))
                .hasMessageContaining("512 MiB");
        assertThat(written).containsExactly((long) PART.length, 2L * PART.length);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void write_defect_leavesNoFile() {
        IllegalStateException defect = new IllegalStateException("planted");
        assertThatThrownBy(() -> BackupRoute.write(folder.resolve("backup"), BackupRouteTest::roomy, out -> {
                    out.write(PART);
                    throw defect;
                }))
                .isSameAs(defect);
        assertThat(folder).isEmptyDirectory();
    }

    private static long roomy() {
        return Long.MAX_VALUE;
    }
}
