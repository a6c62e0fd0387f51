package dev.cella.bench.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrowserProcessTest {
    @TempDir
    private Path folder;

    /** The program writes to its profile, as a browser does, and has a child that outlives its parent. */
    @Test
    void close_endsAllProcesses_andRemovesTheProfile() throws IOException {
        Path said = folder.resolve("said");
        Path program = Files.writeString(folder.resolve("browser"), """
                #!/bin/sh
                for word; do case $word in --user-data-dir=*) profile=${word#*=} ;; esac; done
                mkdir -p "$profile/Default" && echo state > "$profile/Default/State"
                sleep 600 &
                echo "$profile $!" > %1$s.new && mv %1$s.new %1$s
                wait
                """.formatted(said));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        try (BrowserProcess browser = BrowserProcess.open(program, "about:blank")) {
            await().until(() -> Files.exists(said));
            assertThat(browser.mebibytes()).isPositive();
        }
        String[] profileChild = Files.readString(said).strip().split(" ", -1);
        assertThat(Path.of(profileChild[0])).doesNotExist();
        assertThat(ProcessHandle.of(Long.parseLong(profileChild[1])).filter(ProcessHandle::isAlive))
                .isEmpty();
    }
}
