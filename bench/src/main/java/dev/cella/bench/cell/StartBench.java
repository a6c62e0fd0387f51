package dev.cella.bench.cell;

import dev.cella.state.core.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How long {@code cella dev} takes from the start of its process until the cell is ready: for a new cell, and for the same
 * cell again.
 */
public final class StartBench {
    private static final List<String> LAUNCHED =
            Servers.startingQuickly("-Xmx320m", "-XX:+UseG1GC", Servers.LONG_LIVED);

    private final String mainClass;
    private final List<String> javaOptions;
    private final int replicas;
    private final Path folder;

    private StartBench(String mainClass, List<String> javaOptions, int replicas, Path folder) {
        this.mainClass = mainClass;
        this.javaOptions = javaOptions;
        this.replicas = replicas;
        this.folder = folder;
    }

    /** The results. */
    public record Report(Conditions conditions, int replicas, List<Start> starts) {}

    /**
     * One cell, started twice.
     *
     * @param newSeconds with an empty folder
     * @param againSeconds with the folder of the first start
     */
    public record Start(double newSeconds, double againSeconds) {}

    /** The flags of the JVM of {@code cella dev}, as the launcher gives them. */
    public static List<String> launched() {
        return Servers.withClasses(LAUNCHED);
    }

    /**
     * Starts and stops cells.
     *
     * @param mainClass of the command {@code cella}
     * @param javaOptions of its JVM
     * @param replicas the servers of each cell
     * @param times how many cells
     */
    public static Report run(String mainClass, List<String> javaOptions, int replicas, int times) throws IOException {
        try (BenchFolder made = BenchFolder.make("cella-bench")) {
            Path folder = made.path();
            Conditions conditions = Conditions.measure(folder);
            StartBench bench = new StartBench(mainClass, javaOptions, replicas, folder);
            List<Start> starts = new ArrayList<>();
            for (int time = 0; time < times; time++) {
                Path cell = folder.resolve("cell-" + time);
                starts.add(new Start(bench.seconds(cell), bench.seconds(cell)));
                DurableFiles.removeTree(cell);
            }
            return new Report(conditions, replicas, starts);
        }
    }

    private double seconds(Path cell) throws IOException {
        List<String> arguments =
                List.of("dev", "--port", "0", "--data", cell.toString(), "--replicas", String.valueOf(replicas));
        // Other commands of this user are not to find the cell.
        Map<String, String> environment = Map.of("XDG_DATA_HOME", folder.toString());
        try (PartProcess dev =
                PartProcess.start(mainClass, javaOptions, arguments, environment, folder.resolve("dev.log"))) {
            dev.awaitFirstLine("cella dev");
            return dev.age().toNanos() / 1e9;
        }
    }
}
