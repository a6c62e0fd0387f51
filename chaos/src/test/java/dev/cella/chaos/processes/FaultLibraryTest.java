package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library in processes that know nothing of it: {@code dd} writes and syncs, {@code date} asks for the time. */
class FaultLibraryTest {
    private static final int HOUR_SECONDS = 3_600;

    @TempDir
    private Path folder;

    private Path disk = Path.of("");
    private FaultSwitches switches;
    private FaultLibrary library;

    @BeforeEach
    void compile() throws IOException {
        assumeTrue(FaultLibrary.whyNot().isEmpty(), "skipped: this machine has no C compiler");
        disk = Files.createDirectory(folder.resolve("disk"));
        library = FaultLibrary.compile(folder);
        switches = FaultSwitches.create(folder.resolve("switches"));
    }

    @Test
    void failDisk_writesFailUntilItIsHealed_andAreCounted() throws Exception {
        switches.failDisk();
        assertThat(run("dd", "if=/dev/zero", "of=" + disk.resolve("file"), "bs=1k", "count=1")
                        .exit())
                .isNotZero();
        assertThat(switches.diskHits()).isPositive();

        switches.healDisk();
        assertThat(write(disk).exit()).isZero();
    }

    @Test
    void failDisk_otherFilesAreWritten() throws Exception {
        switches.failDisk();
        assertThat(write(Files.createDirectory(folder.resolve("disk-beside"))).exit())
                .isZero();
        assertThat(switches.diskHits()).isZero();
    }

    @Test
    void slowDisk_syncsWork_andAreCounted() throws Exception {
        switches.slowDisk(1);
        assertThat(write(disk).exit()).isZero();
        assertThat(switches.diskHits()).isPositive();
    }

    @Test
    void moveClock_processesSeeAnotherTime_untilItIsMovedBack() throws Exception {
        switches.moveClock(-HOUR_SECONDS);
        long moved = date();
        assertThat(switches.clockHits()).isPositive();
        switches.moveClock(0);
        long right = date();
        assertThat(right - moved).isBetween((long) HOUR_SECONDS, 2L * HOUR_SECONDS - 1);
    }

    /** As a compiler does without the headers of the C library. */
    @Test
    void whyNot_compilerThatMakesNothing_saysWhatToInstall() throws Exception {
        Path compiler = folder.resolve("cc");
        Files.writeString(compiler, "#!/bin/sh\n[ \"$1\" = --version ]\n");
        assertThat(compiler.toFile().setExecutable(true)).isTrue();
        assertThat(FaultLibrary.whyNot(compiler.toString()).orElseThrow()).contains("headers");
        assertThat(FaultLibrary.whyNot(folder.resolve("none").toString()).orElseThrow())
                .contains("no C compiler");
    }

    private long date() throws Exception {
        return Long.parseLong(run("date", "+%s").said());
    }

    private Ended write(Path into) throws Exception {
        return run("dd", "if=/dev/zero", "of=" + into.resolve("file"), "bs=1k", "count=1", "conv=fsync");
    }

    private record Ended(int exit, String said) {}

    private Ended run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(List.of(command)).redirectErrorStream(true);
        builder.environment().putAll(library.environment(switches, disk));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Ended(process.waitFor(), said);
    }
}
