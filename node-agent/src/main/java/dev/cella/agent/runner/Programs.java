package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds programs as the operating system does: by their path, or by name along a search path. */
final class Programs {
    static final String PATH_DEFAULT = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private Programs() {}

    /** The program for a command's first word, in that directory with that PATH. */
    static Optional<Path> find(String name, Path directory, String searchPath) {
        return find(name, directory, searchPath, Programs::isProgram);
    }

    /** The same where another rule says what a program is. */
    static Optional<Path> find(String name, Path directory, String searchPath, Predicate<Path> isProgram) {
        if (name.indexOf('/') >= 0) {
            return Optional.of(directory.resolve(name)).filter(isProgram);
        }
        for (String folder : searchPath.split(":", -1)) {
            Path candidate = directory.resolve(folder).resolve(name);
            if (isProgram.test(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    /** A program for the agent's own use. */
    static Optional<Path> findOwn(String name) {
        return find(name, Path.of("/"), System.getenv().getOrDefault("PATH", "") + ":" + PATH_DEFAULT);
    }

    /** A program that the agent itself needs. */
    static Path require(String name) throws IOException {
        return findOwn(name)
                .orElseThrow(() -> new IOException("the program " + name + " (of util-linux) is not on this machine"));
    }
}
