package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which control groups an agent finds, and what it writes, in folders with the kernel's names. {@code ContainmentTest}
 * sees the limits bite, with the version that the machine has.
 */
class ControlGroupsTest {
    @TempDir
    Path root;

    private Path mount;

    @BeforeEach
    void begin() {
        mount = root.resolve("sys/fs/cgroup");
    }

    private void write(Path file, String text) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, text);
    }

    private Map<String, String> settings(ControlGroups groups) {
        return groups.of("mark", Map.of("cpuMilli", 500L, "memoryMib", 64L), true, false).settings().stream()
                .collect(java.util.stream.Collectors.toMap(
                        setting -> mount.relativize(setting.file()).toString(), setting -> setting.value()));
    }

    @Test
    void version2_isOneTree_withAllLimitsInOneFolder() throws IOException {
        write(root.resolve("proc/self/cgroup"), "0::/system.slice/cella-agent.service\n");
        write(mount.resolve("cgroup.controllers"), "cpu io memory pids\n");
        write(mount.resolve("cgroup.subtree_control"), "");
        ControlGroups groups = ControlGroups.find(root).groups().orElseThrow();
        assertThat(groups.isVersion2()).isTrue();
        assertThat(groups.folders()).containsExactly(mount.resolve("cella-tasks"));
        assertThat(mount.resolve("cgroup.subtree_control")).hasContent("+memory +cpu +pids");
        assertThat(mount.resolve("cella-tasks/cgroup.subtree_control")).hasContent("+memory +cpu +pids");
        assertThat(settings(groups))
                .containsEntry("cella-tasks/mark/memory.max", "67108864")
                .containsEntry("cella-tasks/mark/memory.swap.max", "0")
                .containsEntry("cella-tasks/mark/memory.oom.group", "1")
                .containsEntry("cella-tasks/mark/cpu.weight", "50")
                .containsEntry("cella-tasks/mark/cpu.max", "50000 100000")
                .containsEntry("cella-tasks/mark/pids.max", "1024")
                .hasSize(6);
    }

    @Test
    void version2_inAGroupThatMayNotHaveProcesses_theAgentMovesAside() throws IOException {
        write(root.resolve("proc/self/cgroup"), "0::/user.slice/cella.scope\n");
        Path scope = mount.resolve("user.slice/cella.scope");
        write(mount.resolve("cgroup.controllers"), "cpu io memory pids\n");
        write(scope.resolve("cgroup.procs"), "4711\n");
        // A folder refuses to be written, as the file of a group with processes does.
        Files.createDirectories(scope.resolve("cgroup.subtree_control"));
        ControlGroups.Found found = ControlGroups.find(root);
        assertThat(scope.resolve("cella-agent/cgroup.procs")).hasContent("4711");
        assertThat(found.groups()).isEmpty();
        assertThat(found.why()).contains("control groups cannot be made in " + scope, "delegate them");
    }

    @Test
    void version1_isATreeForEachController_withALimitInEach() throws IOException {
        write(root.resolve("proc/self/cgroup"), "4:memory:/\n3:cpu,cpuacct:/box\n2:pids:/\n");
        for (String controller : List.of("memory", "cpu/box", "pids", "cpuacct/box")) {
            write(mount.resolve(controller).resolve("cella-tasks/cgroup.procs"), "");
        }
        ControlGroups groups = ControlGroups.find(root).groups().orElseThrow();
        assertThat(groups.isVersion2()).isFalse();
        assertThat(groups.folders())
                .containsExactly(
                        mount.resolve("memory/cella-tasks").toRealPath(),
                        mount.resolve("cpu/box/cella-tasks").toRealPath(),
                        mount.resolve("pids/cella-tasks").toRealPath(),
                        mount.resolve("cpuacct/box/cella-tasks").toRealPath());
        mount = mount.toRealPath();
        assertThat(settings(groups))
                .containsEntry("memory/cella-tasks/mark/memory.limit_in_bytes", "67108864")
                .containsEntry("memory/cella-tasks/mark/memory.memsw.limit_in_bytes", "67108864")
                .containsEntry("cpu/box/cella-tasks/mark/cpu.shares", "512")
                .containsEntry("cpu/box/cella-tasks/mark/cpu.cfs_quota_us", "50000")
                .containsEntry("pids/cella-tasks/mark/pids.max", "1024")
                .hasSize(6);
    }

    @Test
    void bothVersions_theControllersOfVersion1AreUsed() throws IOException {
        write(root.resolve("proc/self/cgroup"), "4:memory:/\n3:cpu:/\n2:pids:/\n0::/\n");
        write(mount.resolve("unified/cgroup.controllers"), "hugetlb\n");
        for (String controller : List.of("memory", "cpu", "pids")) {
            write(mount.resolve(controller).resolve("cella-tasks/cgroup.procs"), "");
        }
        ControlGroups groups = ControlGroups.find(root).groups().orElseThrow();
        assertThat(groups.isVersion2()).isFalse();
        assertThat(groups.folders()).hasSize(3);
    }

    @Test
    void noControlGroups_saysWhy() throws IOException {
        write(root.resolve("proc/self/cgroup"), "0::/\n");
        Files.createDirectories(mount);
        ControlGroups.Found found = ControlGroups.find(root);
        assertThat(found.groups()).isEmpty();
        assertThat(found.why()).contains("control groups cannot be made for memory");
    }
}
