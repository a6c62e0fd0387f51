package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileWordsTest {
    @TempDir
    Path folder;

    private static String words(ThrowingCallable use) {
        return FileWords.of(catchThrowableOfType(IOException.class, use));
    }

    @Test
    void of_whatTheLibraryGivesOnlyANameFor_saysWhy() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Path missing = folder.resolve("missing");

        assertThat(words(() -> Files.readString(missing))).isEqualTo(missing + ": there is no such file");
        assertThat(words(() -> Files.createDirectories(file))).isEqualTo(file + ": it is a file");
        assertThat(words(() -> Files.list(file))).isEqualTo(file + ": it is no directory");
        assertThat(words(() -> Files.delete(folder))).isEqualTo(folder + ": the directory is not empty");
        assertThat(FileWords.of(new AccessDeniedException("secret"))).isEqualTo("secret: permission denied");
    }

    @Test
    void of_otherFailures_isTheirMessage() {
        assertThat(FileWords.of(new IOException("No space left on device"))).isEqualTo("No space left on device");
        assertThat(FileWords.of(new FileSystemException("a", "b", "Is a directory")))
                .isEqualTo("a -> b: Is a directory");
    }
}
