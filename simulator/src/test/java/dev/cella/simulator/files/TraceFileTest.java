package dev.cella.simulator.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.UnreadableTraceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TraceFileTest {
    @TempDir
    private Path folder;

    private static byte[] compressed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static String jobs(int count) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int job = 0; job < count; job++) {
            text.append(job).append(" 1 1 ").append(random.nextDouble()).append('\n');
        }
        return text.toString();
    }

    @Test
    void compressedAndPlain_areReadAlike() throws Exception {
        Path plain = Files.writeString(folder.resolve("plain"), jobs(20));
        Path gzipped = Files.write(folder.resolve("gzipped"), compressed(jobs(20)));

        assertThat(((Trace.Arrivals) TraceFile.read(plain)).jobs()).hasSize(20);
        assertThat(((Trace.Arrivals) TraceFile.read(gzipped)).jobs()).hasSize(20);
    }

    @Test
    void truncatedCompressed_saysInWhichLine() throws Exception {
        byte[] whole = compressed(jobs(20_000));
        Path truncated = Files.write(folder.resolve("truncated"), Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> TraceFile.read(truncated))
                .isInstanceOf(UnreadableTraceException.class)
                .hasMessageMatching("line \\d{4,5}, column \\d+: .*");
    }
}
