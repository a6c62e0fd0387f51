package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cell as it is deployed: no two parts share a host, and every address is a real one, neither loopback nor a wildcard. */
@Timeout(600)
class CellAcrossHostsTest {
    private static final int SERVICE_TASKS = 3;

    @TempDir
    Path folder;

    @Test
    void jobsRunAcrossHosts_whileAServerAndThenAMachineAreCutOff() {
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        try (SwitchedNetwork network = SwitchedNetwork.ofHosts(CellAcrossHosts.HOSTS);
                CellAcrossHosts cell = CellAcrossHosts.start(network, folder)) {
            cell.run("first", Jobs.batch("first", 6, "/bin/echo", "hello"));

            String leader = cell.leader();
            network.cutOff(CellAcrossHosts.serverHost(leader));
            cell.run("second", Jobs.batch("second", 6, "/bin/echo", "hello"));
            assertThat(cell.leader()).isNotEqualTo(leader);
            network.heal(CellAcrossHosts.serverHost(leader));

            cell.run("web", Jobs.service("web", SERVICE_TASKS, "/bin/sleep", "600"));
            String lost = cell.machinesOf("web", SERVICE_TASKS).get(0);
            network.cutOff(CellAcrossHosts.agentHost(lost));
            cell.awaitMachines(list -> {
                List<String> machines = CellAcrossHosts.machinesOf("web", list);
                return CellAcrossHosts.count(list, "DOWN") == 1
                        && machines.size() == SERVICE_TASKS
                        && !machines.contains(lost);
            });

            network.heal(CellAcrossHosts.agentHost(lost));
            cell.awaitMachines(list -> CellAcrossHosts.count(list, "DOWN") == 0);
            cell.run("third", Jobs.batch("third", 6, "/bin/echo", "hello"));
        }
    }
}
