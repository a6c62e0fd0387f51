package dev.cella.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.bench.peer.PeerBench.NotInstalled;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerBenchTest {
    @TempDir
    private Path folder;

    @Test
    void peersThatAreNotInstalled_areNamedWithWhatInstallsThem() throws Exception {
        assertThat(PeerBench.run(Duration.ZERO, Optional.empty(), Optional.empty()))
                .containsExactly(
                        new NotInstalled("etcd", "apt-get install etcd-server"),
                        new NotInstalled("ZooKeeper", "apt-get install zookeeper"));
    }

    @Test
    void installed_isWhatIsFoundWhereItIsPut() throws IOException {
        String path = "/nowhere" + File.pathSeparator + folder;
        assertThat(PeerBench.installedEtcd(path)).isEmpty();
        assertThat(ZooKeeper.installed(folder)).isEmpty();

        Path etcd = Files.createFile(folder.resolve("etcd"));
        assertThat(etcd.toFile().setExecutable(true)).isTrue();
        Path jar = Files.createDirectories(folder.resolve("usr/share/java")).resolve("zookeeper.jar");
        Files.createFile(jar);

        assertThat(PeerBench.installedEtcd(path)).contains(etcd);
        assertThat(ZooKeeper.installed(folder)).contains(jar.toString());
    }

    @Test
    void etcd_placesATaskOnceUntilItIsReleased() throws Exception {
        Optional<Path> program = PeerBench.installedEtcd(System.getenv("PATH"));
        assumeTrue(program.isPresent(), "etcd is not installed");
        try (Peer etcd = new Etcd(program.orElseThrow().toString())) {
            placesATaskOnceUntilItIsReleased(etcd);
        }
    }

    @Test
    void zooKeeper_placesATaskOnceUntilItIsReleased() throws Exception {
        Optional<String> jar = ZooKeeper.installed(Path.of("/"));
        assumeTrue(jar.isPresent(), "ZooKeeper is not installed");
        try (Peer zooKeeper = new ZooKeeper(jar.orElseThrow())) {
            placesATaskOnceUntilItIsReleased(zooKeeper);
        }
    }

    private static void placesATaskOnceUntilItIsReleased(Peer peer) {
        assertThat(peer.place(List.of("a", "b")).join()).isTrue();
        assertThat(peer.place(List.of("c", "b")).join())
                .as("all or nothing: one has a row")
                .isFalse();
        assertThat(peer.place(List.of("c")).join()).as("nothing was done").isTrue();
        assertThat(peer.release(List.of("a", "b")).join()).isTrue();
        assertThat(peer.place(List.of("a", "b")).join()).isTrue();
    }
}
