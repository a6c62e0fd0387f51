package dev.cella.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedFileTest {
    @TempDir
    Path folder;

    private BoundedFile create(long bytesMax) throws IOException {
        return BoundedFile.create(folder, "stdout", bytesMax);
    }

    private static void append(BoundedFile file, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        file.append(bytes, bytes.length);
    }

    private static String readFrom(BoundedFile file, long offset) throws IOException {
        StringBuilder text = new StringBuilder();
        BoundedFile.Chunk chunk = file.read(offset, 7);
        while (!chunk.isEmpty()) {
            text.append(UTF_8.decode(chunk.bytes().duplicate()));
            chunk = file.read(chunk.end(), 7);
        }
        return text.toString();
    }

    private static String lastLines(BoundedFile file, long lines) throws IOException {
        return readFrom(file, file.offsetOfLastLines(lines));
    }

    @Test
    void append_belowTheBound_keepsEverything() throws IOException {
        BoundedFile file = create(100);
        append(file, "one\ntwo\n");
        append(file, "three\n");
        assertThat(readFrom(file, 0)).isEqualTo("one\ntwo\nthree\n");
        assertThat(readFrom(file, 4)).isEqualTo("two\nthree\n");
        assertThat(readFrom(file, 14)).isEmpty();
    }

    @Test
    void append_aboveTheBound_keepsTheNewest() throws IOException {
        BoundedFile file = create(10);
        append(file, "0123456789abcdefghij");
        assertThat(file.end()).isEqualTo(20);
        assertThat(readFrom(file, 0)).isEqualTo("abcdefghij");
        append(file, "k");
        assertThat(readFrom(file, 0)).isEqualTo("fghijk");
        assertThat(readFrom(file, 18)).isEqualTo("ijk");
    }

    @Test
    void append_anyPieces_keepsATailOfAllThatWasWritten() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BoundedFile file = create(64);
        StringBuilder all = new StringBuilder();
        for (int piece = 0; piece < 500; piece++) {
            String text = Integer.toString(piece).repeat(1 + random.nextInt(10)) + "\n";
            all.append(text);
            append(file, text);
            String kept = readFrom(file, 0);
            assertThat(all.toString()).as("seed %d", seed).endsWith(kept);
            assertThat(kept.length()).as("seed %d", seed).isBetween(Math.min(all.length(), 32), 64);
        }
    }

    @Test
    void lastLines_countsWholeLines_andAnUnfinishedOne() throws IOException {
        BoundedFile file = create(1_000);
        append(file, "one\ntwo\nthree\n");
        assertThat(lastLines(file, 1)).isEqualTo("three\n");
        assertThat(lastLines(file, 2)).isEqualTo("two\nthree\n");
        assertThat(lastLines(file, 9)).isEqualTo("one\ntwo\nthree\n");
        append(file, "four");
        assertThat(lastLines(file, 2)).isEqualTo("three\nfour");
    }

    @Test
    void lastLines_overTheRotation() throws IOException {
        BoundedFile file = create(20);
        append(file, "aaaa\nbbbb\ncccc\ndddd\n");
        assertThat(lastLines(file, 3)).isEqualTo("bbbb\ncccc\ndddd\n");
    }

    @Test
    void from_waitsForMoreOrTheEnd() throws IOException {
        BoundedFile file = create(100);
        CompletableFuture<Void> more = file.from(0);
        assertThat(more).isNotDone();
        append(file, "x");
        assertThat(more).isCompleted();
        assertThat(file.from(0)).isCompleted();
        CompletableFuture<Void> end = file.from(1);
        assertThat(end).isNotDone();
        file.close();
        assertThat(end).isCompleted();
    }

    @Test
    void open_readsWhatAnotherAgentWrote() throws IOException {
        try (BoundedFile file = create(10)) {
            append(file, "0123456789abc");
        }
        BoundedFile again = BoundedFile.open(folder, "stdout");
        assertThat(again.isComplete()).isTrue();
        assertThat(readFrom(again, 0)).isEqualTo("56789abc");
        assertThat(Files.size(folder.resolve("stdout.1"))).isEqualTo(5);
    }
}
