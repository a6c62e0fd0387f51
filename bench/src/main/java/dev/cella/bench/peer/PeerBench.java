package dev.cella.bench.peer;

import dev.cella.bench.cell.CommitBench;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The figures of other stores under the load of {@code cella bench commit}, in the same run.
 */
public final class PeerBench {
    private static final int CLAIMS = 10;

    private PeerBench() {}

    /** The result of one peer. */
    public sealed interface Result {}

    /**
     * It is installed.
     *
     * @param batches ten claims per transaction, at full speed
     * @param singles one claim per transaction, at full speed
     */
    public record Measured(String name, PeerFigures batches, PeerFigures singles) implements Result {}

    /** It is not. */
    public record NotInstalled(String name, String howToInstall) implements Result {}

    /** Starts one after another, and runs both loads on each. */
    public static List<Result> run(Duration each) throws IOException, InterruptedException {
        return run(each, installedEtcd(System.getenv("PATH")), ZooKeeper.installed(Path.of("/")));
    }

    static List<Result> run(Duration each, Optional<Path> etcd, Optional<String> zooKeeper)
            throws IOException, InterruptedException {
        List<Result> results = new ArrayList<>();
        if (etcd.isPresent()) {
            try (Peer peer = new Etcd(etcd.get().toString())) {
                results.add(measure("etcd", peer, each));
            }
        } else {
            results.add(new NotInstalled("etcd", "apt-get install etcd-server"));
        }
        if (zooKeeper.isPresent()) {
            try (Peer peer = new ZooKeeper(zooKeeper.get())) {
                results.add(measure("ZooKeeper", peer, each));
            }
        } else {
            results.add(new NotInstalled("ZooKeeper", "apt-get install zookeeper"));
        }
        return results;
    }

    /** The first on the path, as a shell finds it. */
    static Optional<Path> installedEtcd(String path) {
        return Stream.of(path.split(Pattern.quote(File.pathSeparator)))
                .map(folder -> Path.of(folder, "etcd"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Measured measure(String name, Peer peer, Duration each) throws InterruptedException {
        PeerFigures batches =
                new PeerLoad(peer, "b", CLAIMS, CommitBench.BATCHES_UNDER_WAY).run(each.dividedBy(2), each);
        PeerFigures singles = new PeerLoad(peer, "s", 1, CommitBench.SINGLES_UNDER_WAY).run(each.dividedBy(2), each);
        return new Measured(name, batches, singles);
    }
}
