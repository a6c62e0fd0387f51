package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether attempts can begin: files can be made in the folders that they need, and the disks of these have some room.
 *
 * <p>The free room is cheap to read, but does not show that a disk has become read-only or that a quota is used up. So this
 * makes a file in each folder after a failure, and as long as there was no room. Any thread may call it.
 */
final class DiskRoom {
    private static final Logger logger = LoggerFactory.getLogger(DiskRoom.class);

    private static final int MEBI_SHIFT = 20;

    /** With less, a task could not even say why it fails. */
    static final long FREE_MIB_MIN = 16;

    /** Twice as much must be free before attempts begin again, or each end of one would change what the machine offers. */
    static final long FREE_MIB_AGAIN = 2 * FREE_MIB_MIN;

    private final List<Path> folders;
    private final ToLongFunction<Path> freeBytes;
    private Optional<String> whyNone = Optional.empty();
    private Runnable onChange = () -> {};

    DiskRoom(List<Path> folders, ToLongFunction<Path> freeBytes) {
        this.folders = List.copyOf(folders);
        this.freeBytes = freeBytes;
    }

    static DiskRoom of(List<Path> folders) {
        return new DiskRoom(folders, folder -> folder.toFile().getUsableSpace());
    }

    /** What to run when there is room no longer, or again. */
    synchronized void onChange(Runnable change) {
        onChange = change;
    }

    /** The reason why the last look found none; empty if it found some. */
    synchronized Optional<String> whyNone() {
        return whyNone;
    }

    /** Looks whether there is room. */
    synchronized boolean isThere() {
        return isThere(whyNone.isPresent());
    }

    /** The same after something could not be written. */
    synchronized boolean isThereAfterFailure() {
        return isThere(true);
    }

    private boolean isThere(boolean tries) {
        boolean wasThere = whyNone.isEmpty();
        Optional<String> why = folders.stream()
                .flatMap(folder -> whyNoneIn(folder, tries).stream())
                .findFirst();
        if (wasThere && why.isPresent()) {
            logger.warn("agent event=no-room: {}; it starts nothing until there is room again", why.get());
            whyNone = why;
            onChange.run();
        } else if (!wasThere && why.isEmpty()) {
            logger.info("agent event=has-room: it starts tasks again");
            whyNone = why;
            onChange.run();
        }
        return why.isEmpty();
    }

    private Optional<String> whyNoneIn(Path folder, boolean tries) {
        try {
            if (tries) {
                Files.delete(Files.createTempFile(folder, "room", null));
            }
        } catch (IOException failure) {
            return Optional.of("no file can be made in " + folder + ": " + failure);
        }
        long freeMib = freeBytes.applyAsLong(folder) >> MEBI_SHIFT;
        return freeMib < (whyNone.isPresent() ? FREE_MIB_AGAIN : FREE_MIB_MIN)
                ? Optional.of("the disk of " + folder + " has only " + freeMib + " MiB free")
                : Optional.empty();
    }
}
