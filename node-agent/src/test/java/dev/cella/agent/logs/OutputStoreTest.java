package dev.cella.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.keeper.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputStoreTest {
    private static final OutputLimits TWO_ENDED = new OutputLimits(1_000, 2, 1L << 30);
    private static final OutputLimits TEN_KIB = new OutputLimits(1 << 20, 1_000, 10 << 10);

    @TempDir
    Path root;

    private static AttemptKey key(int index) {
        return new AttemptKey("m-1", 7, 0, index, 1);
    }

    private static void runAndEnd(OutputStore store, int index) throws IOException {
        runAndEnd(store, index, 1);
    }

    private static void runAndEnd(OutputStore store, int index, int bytes) throws IOException {
        Path output = store.create(key(index));
        Files.write(output.resolve("stdout.0"), new byte[bytes]);
        Journal.endedUnstarted(output);
        store.ended(key(index));
    }

    @Test
    void find_whatNeverStarted_isNothing() throws IOException {
        OutputStore store = OutputStore.open(root, TWO_ENDED);
        assertThat(store.find(key(0))).isEmpty();
        assertThat(store.isRemoved(key(0))).isFalse();
    }

    @Test
    void ended_keepsTheNewest_andNeverARunningOne() throws IOException {
        OutputStore store = OutputStore.open(root, TWO_ENDED);
        Path running = store.create(key(9));
        for (int index = 0; index < 3; index++) {
            runAndEnd(store, index);
        }
        assertThat(store.find(key(0))).isEmpty();
        assertThat(store.isRemoved(key(0))).isTrue();
        assertThat(store.find(key(1))).isPresent();
        assertThat(store.find(key(2))).isPresent();
        assertThat(store.find(key(9))).contains(running);
        assertThat(root.resolve("m-1/7/0/0/1")).doesNotExist();
    }

    /** Otherwise each short task would leave a few empty folders behind for ever. */
    @Test
    void ended_withoutTheOutputOfATask_leavesNoFoldersOfItBehind() throws IOException {
        OutputStore store = OutputStore.open(root, TWO_ENDED);
        AttemptKey other = new AttemptKey("m-1", 8, 0, 0, 1);
        store.create(other);
        store.ended(other);
        for (int index = 0; index < 3; index++) {
            runAndEnd(store, index);
        }
        assertThat(root.resolve("m-1/8")).doesNotExist();
        assertThat(root.resolve("m-1/7/0")).isDirectoryContaining(task -> task.endsWith("1"));
        assertThat(root.resolve("m-1/7/0/0")).doesNotExist();
        assertThat(store.create(other)).isEmptyDirectory();
    }

    @Test
    void open_countsWhatAnEarlierAgentLeft() throws IOException {
        OutputStore first = OutputStore.open(root, OutputLimits.DEFAULT);
        for (int index = 0; index < 4; index++) {
            runAndEnd(first, index);
        }
        OutputStore second = OutputStore.open(root, TWO_ENDED);
        long kept = 0;
        for (int index = 0; index < 4; index++) {
            kept += second.find(key(index)).isPresent() ? 1 : 0;
        }
        assertThat(kept).isEqualTo(2);
    }

    private static List<Integer> kept(OutputStore store) {
        return IntStream.range(0, 5)
                .filter(index -> store.find(key(index)).isPresent())
                .boxed()
                .toList();
    }

    @Test
    void ended_withMoreBytesThanAreKept_keepsTheNewest() throws IOException {
        OutputStore store = OutputStore.open(root, TEN_KIB);
        for (int index = 0; index < 5; index++) {
            runAndEnd(store, index, 4 << 10);
        }
        assertThat(kept(store)).containsExactly(3, 4);
        assertThat(store.isRemoved(key(2))).isTrue();
        runAndEnd(store, 2, 20 << 10);
        assertThat(kept(store)).containsExactly(2);
    }

    @Test
    void open_withMoreBytesThanAreKept_removesSome() throws IOException {
        OutputStore first = OutputStore.open(root, OutputLimits.DEFAULT);
        for (int index = 0; index < 5; index++) {
            runAndEnd(first, index, 4 << 10);
        }
        assertThat(kept(OutputStore.open(root, TEN_KIB))).hasSize(2);
    }

    /** A task that is started again takes its old output with it. */
    @Test
    void create_again_countsTheBytesNoLonger() throws IOException {
        OutputStore store = OutputStore.open(root, TEN_KIB);
        runAndEnd(store, 0, 4 << 10);
        runAndEnd(store, 1, 4 << 10);
        store.create(key(1));
        runAndEnd(store, 2, 4 << 10);
        assertThat(kept(store)).containsExactly(0, 1, 2);
    }

    @Test
    void create_again_startsEmpty() throws IOException {
        OutputStore store = OutputStore.open(root, TWO_ENDED);
        runAndEnd(store, 0);
        assertThat(store.create(key(0))).isEmptyDirectory();
    }

    @Test
    void key_thatWouldLeaveTheFolder_isRefused() {
        assertThatThrownBy(() -> new AttemptKey("..", 1, 0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AttemptKey("a/b", 1, 0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
