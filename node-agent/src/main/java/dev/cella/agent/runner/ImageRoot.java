package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** An unpacked root file system. Its links mean files in it, as its tasks see them, not those of this machine. */
record ImageRoot(Path root) {
    /** As many links as Linux follows on one path. */
    private static final int LINKS_MAX = 40;

    /** Other file systems are there when the task runs, so what they contain is not known before. */
    private static final List<Path> MOUNTED = List.of(Path.of("/proc"), Path.of("/dev"), Path.of("/sys"));

    /**
     * Returns whether a task in that directory with that PATH may find the program.
     *
     * @param shared a directory of this machine that the task has at the same place
     */
    boolean mayHave(String program, Path directory, String searchPath, Path shared) {
        return Programs.find(program, directory, searchPath, file -> mayHave(file.normalize(), shared))
                .isPresent();
    }

    private boolean mayHave(Path program, Path shared) {
        if (program.startsWith(shared) || MOUNTED.stream().anyMatch(program::startsWith)) {
            return true;
        }
        try {
            return followed(program).filter(Programs::isProgram).isPresent();
        } catch (IOException unreadable) {
            return true;
        }
    }

    /** The file of this machine to which the path leads in this root, if there are not too many links on the way. */
    private Optional<Path> followed(Path path) throws IOException {
        Deque<Path> left = new ArrayDeque<>();
        path.forEach(left::add);
        Path at = root;
        int links = 0;
        while (!left.isEmpty() && links <= LINKS_MAX) {
            Path name = left.pop();
            Path next = name.endsWith("..") ? above(at) : at.resolve(name);
            if (Files.isSymbolicLink(next)) {
                links++;
                Path target = Files.readSymbolicLink(next);
                at = target.isAbsolute() ? root : at;
                for (int last = target.getNameCount() - 1; last >= 0; last--) {
                    left.push(target.getName(last));
                }
            } else {
                at = next;
            }
        }
        return left.isEmpty() ? Optional.of(at) : Optional.empty();
    }

    private Path above(Path folder) {
        return folder.equals(root) ? root : Objects.requireNonNullElse(folder.getParent(), root);
    }
}
