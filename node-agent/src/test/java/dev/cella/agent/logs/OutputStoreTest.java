package dev.cella.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.keeper.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputStoreTest {
    private static final OutputLimits TWO_ENDED = new OutputLimits(1_000, 2);

    @TempDir
    Path root;

    private static AttemptKey key(int index) {
        return new AttemptKey("m-1", 7, 0, index, 1);
    }

    private static void runAndEnd(OutputStore store, int index) throws IOException {
        Path output = store.create(key(index));
        Files.writeString(output.resolve("stdout.0"), "x");
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
