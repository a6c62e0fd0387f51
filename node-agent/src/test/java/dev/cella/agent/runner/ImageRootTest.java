package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageRootTest {
    private static final Path WORK = Path.of("/work");

    @TempDir
    private Path folder;

    private Path root;

    @BeforeEach
    void unpack() throws IOException {
        root = folder.resolve("image");
        Path usrBin = Files.createDirectories(root.resolve("usr/bin"));
        Files.createFile(
                usrBin.resolve("busybox"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.createFile(usrBin.resolve("text"));
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        Files.createSymbolicLink(usrBin.resolve("sh"), Path.of("/bin/busybox"));
        Files.createSymbolicLink(usrBin.resolve("up"), Path.of("../../../../usr/bin/busybox"));
        Files.createSymbolicLink(usrBin.resolve("round"), Path.of("round"));
        Files.createSymbolicLink(usrBin.resolve("outside"), Path.of("/usr/bin/env"));
    }

    private boolean has(String program) {
        return new ImageRoot(root).mayHave(program, WORK, "/usr/local/bin:/bin", WORK);
    }

    @Test
    void programs_areFoundAlongThePath_andBehindLinks() {
        assertThat(has("busybox")).isTrue();
        assertThat(has("sh")).isTrue();
        assertThat(has("/bin/sh")).isTrue();
        assertThat(has("up")).isTrue();
    }

    @Test
    void aLinkToAProgramOfTheMachine_aLinkToItself_andAText_areNone() {
        assertThat(has("outside")).isFalse();
        assertThat(has("round")).isFalse();
        assertThat(has("text")).isFalse();
        assertThat(has("/usr/sbin/sh")).isFalse();
    }

    @Test
    void mountsThatComeLater_mayHaveIt() {
        assertThat(has("./own")).isTrue();
        assertThat(has("/proc/self/exe")).isTrue();
    }
}
