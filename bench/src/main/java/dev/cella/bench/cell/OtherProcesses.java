package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The processes of a measured cell other than this one. */
public final class OtherProcesses {
    public static final OtherProcesses NONE = new OtherProcesses(List.of());

    private final List<PartProcess> processes;

    OtherProcesses(List<PartProcess> processes) {
        this.processes = List.copyOf(processes);
    }

    /** Their processor time since their start. */
    public Duration cpu() {
        return processes.stream().map(PartProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** That of their compilers. */
    Duration compiling() throws IOException {
        Duration all = Duration.ZERO;
        for (PartProcess process : processes) {
            all = all.plus(process.compiling());
        }
        return all;
    }
}
