package dev.cella.simulator.engine;

/** A way to organise scheduling, as a simulation. */
public interface Architecture {
    /** As in {@code --architecture}. */
    String label();

    /** One line on what it is, and where it is described. */
    String description();

    /** Runs it from the first event to the end; the parameters as it understands them come with {@link #adopt}. */
    RunResult run(RunParameters parameters, RunWork work, RunProgress progress);

    /** The parameters as this architecture reads them, which is what is printed. */
    default RunParameters adopt(RunParameters parameters) {
        return parameters;
    }
}
