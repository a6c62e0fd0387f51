package dev.cella.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.keeper.Journal;
import dev.cella.agent.keeper.OutputWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the keeper's process writes, as the agent's reads it. */
class OutputFileTest {
    @TempDir
    Path folder;

    private OutputFile file;
    private @Nullable OutputWriter writer;

    @BeforeEach
    void open() {
        file = new OutputFile(folder, "stdout");
    }

    private void create(long bytesMax) throws IOException {
        writer = OutputWriter.create(folder, "stdout", bytesMax);
    }

    private void append(String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        Objects.requireNonNull(writer).append(bytes, bytes.length);
    }

    private static String readFrom(OutputFile file, long offset) throws IOException {
        StringBuilder text = new StringBuilder();
        OutputFile.Chunk chunk = file.read(offset, 7);
        while (!chunk.isEmpty()) {
            text.append(UTF_8.decode(chunk.bytes().duplicate()));
            chunk = file.read(chunk.end(), 7);
        }
        return text.toString();
    }

    private static String lastLines(OutputFile file, long lines) throws IOException {
        return readFrom(file, file.offsetOfLastLines(lines));
    }

    @Test
    void append_belowTheBound_keepsEverything() throws IOException {
        create(100);
        append("one\ntwo\n");
        append("three\n");
        assertThat(readFrom(file, 0)).isEqualTo("one\ntwo\nthree\n");
        assertThat(readFrom(file, 4)).isEqualTo("two\nthree\n");
        assertThat(readFrom(file, 14)).isEmpty();
    }

    @Test
    void append_aboveTheBound_keepsTheNewest() throws IOException {
        create(10);
        append("0123456789abcdefghij");
        assertThat(file.end()).isEqualTo(20);
        assertThat(readFrom(file, 0)).isEqualTo("abcdefghij");
        append("k");
        assertThat(readFrom(file, 0)).isEqualTo("fghijk");
        assertThat(readFrom(file, 18)).isEqualTo("ijk");
    }

    @Test
    void append_anyPieces_keepsATailOfAllThatWasWritten() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        create(64);
        StringBuilder all = new StringBuilder();
        for (int piece = 0; piece < 500; piece++) {
            String text = Integer.toString(piece).repeat(1 + random.nextInt(10)) + "\n";
            all.append(text);
            append(text);
            String kept = readFrom(file, 0);
            assertThat(all.toString()).as("seed %d", seed).endsWith(kept);
            assertThat(kept.length()).as("seed %d", seed).isBetween(Math.min(all.length(), 32), 64);
        }
    }

    @Test
    void lastLines_countsWholeLines_andAnUnfinishedOne() throws IOException {
        create(1_000);
        append("one\ntwo\nthree\n");
        assertThat(lastLines(file, 1)).isEqualTo("three\n");
        assertThat(lastLines(file, 2)).isEqualTo("two\nthree\n");
        assertThat(lastLines(file, 9)).isEqualTo("one\ntwo\nthree\n");
        append("four");
        assertThat(lastLines(file, 2)).isEqualTo("three\nfour");
    }

    @Test
    void lastLines_overTheRotation() throws IOException {
        create(20);
        append("aaaa\nbbbb\ncccc\ndddd\n");
        assertThat(lastLines(file, 3)).isEqualTo("bbbb\ncccc\ndddd\n");
    }

    @Test
    void firstLine_ofOutputWhoseBeginningWasDropped_isTheFirstWholeOne() throws IOException {
        create(20);
        append("aaaa\nbbbb\ncccccc\ndddd\ne\n");
        assertThat(file.start()).isEqualTo(10);
        append("ffff\n");
        assertThat(file.start()).isEqualTo(10);
        assertThat(readFrom(file, file.firstLine())).isEqualTo("dddd\ne\nffff\n");
        assertThat(lastLines(file, 9)).isEqualTo("dddd\ne\nffff\n");
    }

    @Test
    void firstLine_withoutADroppedByte_isTheBeginning() throws IOException {
        create(20);
        append("aaaa\nbbbb\n");
        assertThat(file.firstLine()).isZero();
    }

    @Test
    void firstLine_ofALineLongerThanAllThatIsKept_isItsOldestByte() throws IOException {
        create(20);
        append("x".repeat(50));
        assertThat(file.firstLine()).isEqualTo(file.start());
    }

    @Test
    void addLine_comesAfterAllThatWasWritten() throws IOException {
        create(10);
        append("0123456789abc");
        Objects.requireNonNull(writer).close();
        OutputWriter.addLine(folder, "stdout", "!");
        assertThat(readFrom(file, 0)).isEqualTo("56789abc!\n");
        assertThat(Files.size(folder.resolve("stdout.5"))).isEqualTo(5);
    }

    @Test
    void addLine_betweenTwoWrites_stays() throws IOException {
        create(12);
        OutputWriter.addLine(folder, "stdout", "a");
        append("bc");
        OutputWriter.addLine(folder, "stdout", "d");
        append("efgh");
        assertThat(readFrom(file, 0)).isEqualTo("a\nbcd\nefgh");
        assertThat(file.start()).isZero();
        assertThat(file.end()).isEqualTo(10);
    }

    /** A follower reads by offset: bytes of two files that have the same ones would be skipped. */
    @Test
    void addLine_betweenTheLastWriteOfAFileAndTheNextFile_isCounted() throws IOException {
        create(20);
        append("0123456789");
        OutputWriter.addLine(folder, "stdout", "a");
        append("bcd");
        assertThat(readFrom(file, 0)).isEqualTo("0123456789a\nbcd");
        assertThat(file.end()).isEqualTo(15);
    }

    @Test
    void nothingIsWritten_makesNoFile() throws IOException {
        create(10);
        Objects.requireNonNull(writer).close();
        assertThat(folder).isEmptyDirectory();
        assertThat(readFrom(file, 0)).isEmpty();
    }

    @Test
    void isComplete_whenTheJournalSaysSo() throws IOException {
        Journal.endedUnstarted(folder);
        assertThat(file.isComplete()).isTrue();
        assertThat(readFrom(file, 0)).isEmpty();
    }
}
