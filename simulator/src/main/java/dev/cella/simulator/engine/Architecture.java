package dev.cella.simulator.engine;

/** A way to organise scheduling, as a simulation. */
public interface Architecture {
    /** The name for {@code --architecture}. */
    String label();

    /** One line that describes it, with the source. */
    String description();

    /** Runs it from the first event to the end. {@link #adopt} gives the parameters as it uses them. */
    RunResult run(RunParameters parameters, RunWork work, RunProgress progress);

    /**
     * The parameters as this architecture uses them, which are printed. Throws {@link ImpossibleParameterException} where it
     * cannot run with them.
     */
    default RunParameters adopt(RunParameters parameters) {
        return parameters;
    }
}
