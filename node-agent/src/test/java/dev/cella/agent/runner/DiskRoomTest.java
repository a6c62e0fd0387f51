package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskRoomTest {
    @TempDir
    Path folder;

    private Path work = Path.of("");
    private long freeMib = 1_000;
    private final List<Boolean> changes = new ArrayList<>();
    private DiskRoom room = new DiskRoom(List.of(), any -> 0);

    @BeforeEach
    void open() throws Exception {
        work = Files.createDirectory(folder.resolve("work"));
        room = new DiskRoom(List.of(folder, work), disk -> disk.equals(work) ? freeMib << 20 : Long.MAX_VALUE);
        room.onChange(() -> changes.add(room.whyNone().isEmpty()));
    }

    @Test
    void fullDisk_hasRoomAgainOnceTwiceAsMuchIsFree() {
        freeMib = DiskRoom.FREE_MIB_MIN;
        assertThat(room.isThere()).isTrue();
        freeMib--;
        assertThat(room.isThere()).isFalse();
        assertThat(room.whyNone()).hasValue("the disk of " + work + " has only 15 MiB free");
        freeMib = DiskRoom.FREE_MIB_AGAIN - 1;
        assertThat(room.isThere()).isFalse();
        freeMib++;
        assertThat(room.isThere()).isTrue();
        assertThat(changes).containsExactly(false, true);
    }

    @Test
    void folderThatTakesNoFile_isFoundAfterAFailure_andTriedUntilItDoes() throws Exception {
        Files.delete(work);
        assertThat(room.isThere()).isTrue();
        assertThat(room.isThereAfterFailure()).isFalse();
        assertThat(room.whyNone())
                .hasValueSatisfying(why -> assertThat(why).startsWith("no file can be made in " + work + ": "));
        assertThat(room.isThere()).isFalse();
        Files.createDirectory(work);
        assertThat(room.isThere()).isTrue();
        assertThat(room.isThereAfterFailure()).isTrue();
        assertThat(changes).containsExactly(false, true);
        assertThat(work).isEmptyDirectory();
    }
}
