package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
    private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");
    private static final int NOBODY = 65_534;

    @TempDir
    Path folder;

    private Path work;

    @BeforeEach
    void createWork() throws IOException {
        permit(folder, "rwx--x--x");
        Path holder = Files.createDirectory(folder.resolve("holder"));
        work = Files.createDirectory(holder.resolve("work"));
        giveAway(holder);
        giveAway(work);
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Root needs no permissions, so its files become those of a user who does. */
    private static void giveAway(Path path) throws IOException {
        if (IS_ROOT) {
            Files.setAttribute(path, "unix:uid", NOBODY);
        }
    }

    /** Returns the directory, with those above it and a file in it. */
    private Path withFile(String name) throws IOException {
        Path directory = work;
        for (Path part : Path.of(name)) {
            directory = directory.resolve(part);
            if (Files.notExists(directory)) {
                giveAway(Files.createDirectory(directory));
            }
        }
        giveAway(Files.createFile(directory.resolve("file")));
        return directory;
    }

    /** Removes it as a user who is not root. Returns whether it says that all is removed. */
    private boolean removeWork() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes/dev/cella/agent/keeper"));
        for (String name : List.of("RemovingMain", "Folders", "FolderRemoval")) {
            try (InputStream bytes = FoldersTest.class.getResourceAsStream(name + ".class")) {
                Files.copy(Objects.requireNonNull(bytes, name), classes.resolve(name + ".class"));
            }
        }
        List<String> command = new ArrayList<>();
        if (IS_ROOT) {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--"));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder.resolve("classes").toString(),
                RemovingMain.class.getName(),
                work.toString()));
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }

    @Test
    void remove_directoriesThatATaskClosedToItself_removesThem() throws Exception {
        permit(withFile("go/mod"), "r-x------");
        permit(withFile("unreadable/below"), "-wx------");
        permit(work.resolve("unreadable"), "---------");
        permit(work, "r-x------");
        assertThat(removeWork()).isTrue();
        assertThat(work).doesNotExist();
    }

    @Test
    void remove_contentThatCannotBeRemoved_removesAllElse_andThrows() throws Exception {
        assumeTrue(IS_ROOT, "SKIPPED, only root makes files of another user");
        for (int number = 0; number < 20; number++) {
            withFile("before-" + number);
        }
        Path foreign = Files.createDirectory(work.resolve("foreign"));
        Files.createFile(foreign.resolve("file"));
        for (int number = 0; number < 20; number++) {
            withFile("later-" + number);
        }
        assertThat(removeWork()).isFalse();
        assertThat(work.toFile().list()).containsExactly("foreign");
        assertThat(foreign.resolve("file")).exists();
    }

    @Test
    void remove_linksToOtherFolders_leavesThoseAsTheyAre() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path file = Files.createFile(outside.resolve("file"));
        permit(file, "r--------");
        permit(outside, "r-x------");
        Files.createSymbolicLink(work.resolve("to-the-folder"), outside);
        Files.createSymbolicLink(withFile("below").resolve("to-the-file"), file);
        Folders.remove(work);
        assertThat(work).doesNotExist();
        assertThat(file).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r--------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(outside)))
                .isEqualTo("r-x------");
        permit(outside, "rwx------");
    }

    @Test
    void remove_aLink_leavesItsFolder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), work);
        Path directory = withFile("below");
        Folders.remove(link);
        assertThat(folder.toFile().list()).containsExactly("holder");
        assertThat(directory.resolve("file")).exists();
    }

    @Test
    void remove_moreDirectoriesInEachOtherThanMayBeOpen_removesThem() throws Exception {
        Path deep = work.resolve(String.join("/", Collections.nCopies(500, "d")));
        Files.createDirectories(deep);
        Files.createFile(deep.resolve("file"));
        Files.createFile(work.resolve("d/d/file"));
        Folders.remove(work);
        assertThat(work).doesNotExist();
    }

    @Test
    void remove_whatIsNotThere_doesNothing() throws Exception {
        Folders.remove(folder.resolve("absent"));
        assertThat(folder.resolve("absent")).doesNotExist();
    }

    @Test
    void bytesBelow_countsTheFilesInAllDirectories_andFollowsNoLink() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.write(outside.resolve("file"), new byte[10_000]);
        Files.createSymbolicLink(work.resolve("link"), outside);
        Files.write(withFile("a/b").resolve("file"), new byte[100]);
        Files.write(withFile("c").resolve("file"), new byte[10]);
        Files.write(work.resolve("file"), new byte[1]);
        long link = outside.toString().length();
        assertThat(Folders.bytesBelow(work)).isEqualTo(111 + link);
        assertThat(Folders.bytesBelow(work, () -> true)).isEqualTo(111 + link);
        assertThat(Folders.bytesBelow(work.resolve("absent"))).isZero();
    }

    @Test
    void bytesBelow_countsFilesWithALongerPathThanTheKernelTakes() throws Exception {
        String name = "n".repeat(240);
        String script =
                "cd \"$1\"; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do mkdir -m 777 $2; cd -P $2;"
                        + " done; head -c 5000000 /dev/zero > file";
        Process process = new ProcessBuilder("sh", "-c", script, "deep", work.toString(), name)
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        try {
            assertThat(Folders.bytesBelow(work)).isEqualTo(5_000_000);
        } finally {
            Folders.remove(work);
        }
    }

    @Test
    void bytesBelow_ofDirectoriesTooDeepToBeCounted_isMoreThanIsAllowed() throws Exception {
        Path deepest = work.resolve(String.join("/", Collections.nCopies(FolderSize.DEPTH_MAX, "d")));
        Files.createDirectories(deepest);
        Files.write(deepest.resolve("file"), new byte[7]);
        assertThat(Folders.bytesBelow(work, () -> true)).isEqualTo(7);
        Files.createDirectory(deepest.resolve("d"));
        assertThat(Folders.bytesBelow(work, () -> true)).isEqualTo(Long.MAX_VALUE);
        assertThat(Folders.bytesBelow(work)).isEqualTo(7);
    }
}
