package dev.cella.cli.simulate;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.json.NearestName;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.UnknownWordException;
import java.util.List;
import java.util.function.Supplier;

/** Reports an impossible run, figure or bench as wrong usage, before anything runs. */
public final class Impossible {
    private Impossible() {}

    /** The value, if the arguments make sense. */
    public static <T> T answered(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (UnknownWordException unknown) {
            throw CommandFailure.usage(String.valueOf(unknown.getMessage()), nearest(unknown.typed(), unknown.known()));
        } catch (ImpossibleParameterException impossible) {
            throw CommandFailure.usage(String.valueOf(impossible.getMessage()), impossible.hint());
        } catch (IllegalArgumentException impossible) {
            throw CommandFailure.usage(String.valueOf(impossible.getMessage()), "see cella simulate run --help");
        }
    }

    private static String nearest(String typed, List<String> known) {
        return NearestName.to(typed, known)
                .map(name -> "did you mean " + name + "?")
                .orElse(known.isEmpty() ? "it has none" : "one of " + String.join(", ", known));
    }
}
