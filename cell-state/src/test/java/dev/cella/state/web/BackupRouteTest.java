package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        BackupRoute.write(file, out -> out.write(PART));
        assertThat(Files.readAllBytes(file)).isEqualTo(PART);
    }

    @Test
    void write_diskThatIsFull_leavesNoFile() {
        IOException full = new IOException("no space left on device");
        assertThatThrownBy(() -> BackupRoute.write(folder.resolve("backup"), out -> {
                    out.write(PART);
                    throw full;
                }))
                .isSameAs(full);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void write_defect_leavesNoFile() {
        IllegalStateException defect = new IllegalStateException("planted");
        assertThatThrownBy(() -> BackupRoute.write(folder.resolve("backup"), out -> {
                    out.write(PART);
                    throw defect;
                }))
                .isSameAs(defect);
        assertThat(folder).isEmptyDirectory();
    }
}
