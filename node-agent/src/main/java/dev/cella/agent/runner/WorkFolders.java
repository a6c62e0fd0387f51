package dev.cella.agent.runner;

import dev.cella.agent.keeper.Folders;
import dev.cella.agent.keeper.OwnFiles;
import dev.cella.agent.logs.AttemptKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The work folders of attempts, one each. They belong to the tasks and are removed with them.
 *
 * <p>The agent's data directory is closed to other users, so it cannot hold the folders of tasks that run as another user. Each
 * task of root's agent may be one. So all of them work below {@code /var/tmp}, in a directory that other users may only
 * traverse.
 */
public final class WorkFolders {
    private static final int ROOT = 0;
    private static final Path PASSABLE = Path.of("/var/tmp");

    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path root;

    private WorkFolders(Path root) {
        this.root = root;
    }

    static WorkFolders open(Path dataDirectory) throws IOException {
        WorkFolders folders = new WorkFolders(root(dataDirectory));
        folders.make();
        return folders;
    }

    private void make() throws IOException {
        if (mayRunOthers()) {
            Files.createDirectories(root);
            OwnFiles.requireOwn(root);
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        } else {
            OwnFiles.createDirectories(root);
        }
    }

    /** Programs that clean {@code /var/tmp} remove the directory while no task works in it. Called before each start. */
    void makeAgain() {
        try {
            make();
        } catch (IOException failure) {
            // the look for room, or the start, finds it and says so
        }
    }

    /** Where the tasks of an agent of this process's user work. */
    public static Path root(Path dataDirectory) throws IOException {
        return mayRunOthers() ? passable(dataDirectory) : closed(dataDirectory);
    }

    /** Returns whether the agent can run tasks as another user: as that of all tasks, or as the user of a job. */
    private static boolean mayRunOthers() throws IOException {
        return OwnFiles.userId().equals(ROOT);
    }

    private static Path closed(Path dataDirectory) {
        return dataDirectory.resolve("work");
    }

    private static Path passable(Path dataDirectory) {
        int hash = dataDirectory.toAbsolutePath().normalize().toString().hashCode();
        return PASSABLE.resolve("cella-work-" + Integer.toHexString(hash));
    }

    Path root() {
        return root;
    }

    /**
     * An empty folder that belongs to that user, or to the agent if there is no user. Another user may have made the directory
     * above it, if that was removed.
     */
    Path create(AttemptKey key, Optional<TaskUser> user) throws IOException {
        if (mayRunOthers()) {
            OwnFiles.requireOwn(root);
        }
        Path folder = folder(key);
        remove(key);
        Files.createDirectory(folder, OWN);
        if (user.isPresent()) {
            Files.setAttribute(folder, "unix:uid", user.get().userId());
            Files.setAttribute(folder, "unix:gid", user.get().groupId());
        }
        return folder;
    }

    void remove(AttemptKey key) throws IOException {
        Folders.remove(folder(key));
    }

    /** Removes the root if it is empty. */
    void close() {
        try {
            Files.deleteIfExists(root);
        } catch (IOException notEmpty) {
            // somebody works in it
        }
    }

    /** Returns whether it is there or not. */
    Path folder(AttemptKey key) {
        return root.resolve(
                key.machine() + "-" + key.job() + "-" + key.group() + "-" + key.index() + "-" + key.attempt());
    }
}
