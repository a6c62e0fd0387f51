package dev.cella.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDiskTest {
    private static final long GIB = 1L << 30;

    /** No machine is so slow. */
    private static final Duration LONG = Duration.ofDays(1);

    @TempDir
    Path folder;

    @Test
    void read_countsWhatIsInTheFolders_asFree() throws Exception {
        Path work = Files.createDirectories(folder.resolve("data/work/m-1-7-0-0-1"));
        Path outputs = Files.createDirectories(folder.resolve("data/attempts/m-1/7/0/0/1"));
        Files.write(work.resolve("file"), new byte[5_000]);
        Files.write(outputs.resolve("stdout.0"), new byte[300]);
        WorkDisk disk = WorkDisk.read(folder.resolve("data/work"), folder.resolve("data/attempts"), LONG);
        assertThat(disk.workBytes()).isEqualTo(5_000);
        assertThat(disk.outputBytes()).isEqualTo(300);
        assertThat(disk.usableBytes()).isPositive();
        assertThat(disk.totalBytes()).isGreaterThanOrEqualTo(disk.usableBytes());
    }

    @Test
    void read_foldersThatAreNotThereYet_haveNothing() throws Exception {
        WorkDisk disk = WorkDisk.read(folder.resolve("data/work"), folder.resolve("data/attempts"));
        assertThat(disk.workBytes()).isZero();
        assertThat(disk.outputBytes()).isZero();
        assertThat(disk.totalBytes()).isPositive();
    }

    /** An agent that starts has no time for what it cannot count in time. */
    @Test
    void read_withoutTime_countsNothing() throws Exception {
        Path work = Files.createDirectories(folder.resolve("data/work/m-1-7-0-0-1"));
        Files.write(work.resolve("file"), new byte[5_000]);
        WorkDisk disk = WorkDisk.read(folder.resolve("data/work"), folder.resolve("data/attempts"), Duration.ZERO);
        assertThat(disk.workBytes()).isZero();
    }

    /** A task of 50 GiB that has written them all holds no more than it did. */
    @Test
    void offered_isTheSameAfterTasksHaveWritten() {
        MachineFacts facts = new MachineFacts("m", "Linux", "6.1", "amd64", 1_000, 4_096);
        MachineCapacity empty = MachineCapacity.offered(facts, new WorkDisk(100 * GIB, 120 * GIB, 0, 0));
        MachineCapacity used = MachineCapacity.offered(facts, new WorkDisk(49 * GIB, 120 * GIB, 50 * GIB, GIB));
        assertThat(used).isEqualTo(empty);
        assertThat(empty.diskMib()).isEqualTo(98 * 1_024);
    }

    @Test
    void freeMib_isAtMostTheDisk_andCountsNoMoreOutputThanIsReserved() {
        assertThat(new WorkDisk(GIB, 2 * GIB, 5 * GIB, 0).freeMib()).isEqualTo(2_048);
        assertThat(new WorkDisk(GIB, 9 * GIB, 0, 5 * GIB).freeMib()).isEqualTo(2_048);
    }
}
