package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftGroupsTest {
    @TempDir
    private Path folder;

    @Test
    void remove_takesTheGroupsOfAllAttemptsBelowTheFolder_andNoOthers() throws Exception {
        Path first = attemptWithGroup("m1", "first");
        Path second = attemptWithGroup("m2", "second");
        Path other = Files.createDirectories(folder.resolve("groups/other"));
        LeftGroups.remove(folder.resolve("run"));
        assertThat(first).doesNotExist();
        assertThat(second).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void remove_folderIsGone_doesNothing() {
        LeftGroups.remove(folder.resolve("none"));
        assertThat(folder).isEmptyDirectory();
    }

    private Path attemptWithGroup(String machine, String group) throws Exception {
        Path path = Files.createDirectories(folder.resolve("groups").resolve(group));
        Path attempt = Files.createDirectories(folder.resolve("run/agent/attempts/" + machine + "/1/0/0/1"));
        Journal.create(attempt, folder.resolve("work"), "mark", List.of(path));
        return path;
    }
}
