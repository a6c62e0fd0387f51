package dev.cella.cli.terminal;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * What a command may know about the process it runs in: handed in once by {@code Main}, so that a test can be any user
 * on any machine.
 *
 * @param variables the environment variables
 * @param folder where the user stands: relative paths start here
 * @param home the user's home folder
 * @param clock what the time is
 */
public record Environment(Map<String, String> variables, Path folder, Path home, InstantSource clock) {
    public Environment {
        variables = Map.copyOf(variables);
    }

    public static Environment ofThisProcess() {
        Map<String, String> variables = System.getenv();
        String home = variables.getOrDefault("HOME", System.getProperty("user.home"));
        return new Environment(variables, Path.of("").toAbsolutePath(), Path.of(home), InstantSource.system());
    }

    /** The value of a variable, absent also when it is set to nothing. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** A path as the user typed it. */
    public Path path(String typed) {
        return folder.resolve(typed).normalize();
    }

    /** Where Cella keeps what belongs to this user, as the XDG base directories have it. */
    public Path dataFolder() {
        return variable("XDG_DATA_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(home.resolve(".local/share"))
                .resolve("cella");
    }
}
