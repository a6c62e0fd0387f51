package dev.cella.cli.terminal;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * The surroundings of a command's process. {@code Main} passes them in once, so that a test can be any user on any machine.
 *
 * @param variables the environment variables
 * @param folder the working directory, for relative paths
 * @param home the user's home folder
 * @param clock the wall clock
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

    /** The value of a variable; empty also if the variable is set to an empty text. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** A path as the user typed it. */
    public Path path(String typed) {
        return folder.resolve(typed).normalize();
    }

    /** The folder for this user's Cella data, by the XDG base directories. */
    public Path dataFolder() {
        return variable("XDG_DATA_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(home.resolve(".local/share"))
                .resolve("cella");
    }
}
