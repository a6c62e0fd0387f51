package dev.cella.bench.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The commit of the source that runs, as git says it; with {@code -dirty} behind it if files are changed. A program that was
 * not built in its repository has none.
 */
final class SourceCommit {
    private SourceCommit() {}

    static Optional<String> find() {
        try {
            Path built = Path.of(SourceCommit.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return repository(built).flatMap(SourceCommit::of);
        } catch (URISyntaxException defect) {
            throw new IllegalStateException("a class path entry has no path", defect);
        }
    }

    private static Optional<Path> repository(Path built) {
        for (Path folder = built; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git"))) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    static Optional<String> of(Path repository) {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
                    .directory(repository.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 && !said.isEmpty() ? Optional.of(said) : Optional.empty();
        } catch (IOException noGit) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
