package dev.cella.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineCapacityTest {
    @TempDir
    Path root;

    private static MachineCapacity offered(long cpuMilli, long memoryMib) {
        WorkDisk disk = new WorkDisk(10_000L << 20, 20_000L << 20, 0, 0);
        return MachineCapacity.offered(new MachineFacts("h", "Linux", "6.1", "amd64", cpuMilli, memoryMib), disk);
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    @Test
    void offered_keepsAGibibyteOfASmallMachine() {
        assertThat(offered(2_000, 3_000)).isEqualTo(new MachineCapacity(2_000, 1_976, 7_952));
    }

    @Test
    void offered_keepsAQuarterOfALargeMachine() {
        assertThat(offered(64_000, 65_536)).isEqualTo(new MachineCapacity(64_000, 49_152, 7_952));
    }

    @Test
    void offered_ofATinyMachine_isNoMemory() {
        assertThat(offered(1_500, 512)).isEqualTo(new MachineCapacity(1_500, 0, 7_952));
    }

    @Test
    void thisMachine_hasCoresMemoryAndAName() {
        MachineFacts facts = MachineFacts.read();
        assertThat(facts.cpuMilli()).isBetween(1L, Runtime.getRuntime().availableProcessors() * 1_000L);
        assertThat(facts.memoryMib()).isPositive();
        assertThat(facts.attributes()).containsKeys("hostname", "os", "kernel", "arch");
    }

    @Test
    void limits_ofVersion2_areTheLeastUpTheTree() throws IOException {
        write("proc/self/cgroup", "0::/outer/inner");
        write("sys/fs/cgroup/outer/cpu.max", "150000 100000");
        write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000");
        write("sys/fs/cgroup/outer/memory.max", "max");
        write("sys/fs/cgroup/outer/inner/memory.max", "1073741824");
        CgroupLimits limits = CgroupLimits.read(root);
        assertThat(limits.cpuMilli()).hasValue(1_500);
        assertThat(limits.memoryBytes()).hasValue(1L << 30);
    }

    @Test
    void limits_ofVersion1_areThoseOfEachController() throws IOException {
        write("proc/self/cgroup", "4:memory:/docker/a\n3:cpu,cpuacct:/docker/a\n1:name=systemd:/\n0::/");
        write("sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_quota_us", "250000");
        write("sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_period_us", "100000");
        write("sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes", "2147483648");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
        CgroupLimits limits = CgroupLimits.read(root);
        assertThat(limits.cpuMilli()).hasValue(2_500);
        assertThat(limits.memoryBytes()).hasValue(2L << 30);
    }

    @Test
    void limits_whereThereAreNone_areNone() throws IOException {
        assertThat(CgroupLimits.read(root).memoryBytes()).isEmpty();
        write("proc/self/cgroup", "3:cpu:/\n0::/");
        write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
        write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        assertThat(CgroupLimits.read(root)).isEqualTo(CgroupLimits.read(root.resolve("nowhere")));
    }
}
