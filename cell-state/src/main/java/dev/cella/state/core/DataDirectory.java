package dev.cella.state.core;

import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which one replica keeps everything, held by a lock for as long as the process lives.
 *
 * <p>It holds {@code lock} (who uses it: a pid, and the address once there is one), {@code identity} (whose it is),
 * {@code log}, {@code checkpoints} and {@code live}. The operating system drops the lock with the process, so a process
 * that was killed never keeps the next one out.
 *
 * <p>Owned by the one who opened it; its methods may be called from any thread.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String IDENTITY = "identity";

    private final Path path;
    private final FileChannel lockChannel;
    private volatile DirectoryIdentity identity;

    private DataDirectory(Path path, FileChannel lockChannel, DirectoryIdentity identity) {
        this.path = path;
        this.lockChannel = lockChannel;
        this.identity = identity;
    }

    /**
     * Takes the directory for that cell, making it where it does not exist.
     *
     * @param freeBytesMin below so much free space the start is refused
     * @param newId the identity to give to a directory that has none yet
     */
    public static DataDirectory open(Path path, CellName cell, long freeBytesMin, UUID newId)
            throws StartRefusedException {
        Path absolute = path.toAbsolutePath().normalize();
        FileChannel channel = openLock(absolute);
        try {
            takeLock(absolute, channel);
            checkFreeSpace(absolute, freeBytesMin);
            DirectoryIdentity identity = readOrMakeIdentity(absolute, cell, newId);
            DataDirectory directory = new DataDirectory(absolute, channel, identity);
            directory.announce("");
            return directory;
        } catch (IOException failure) {
            closeQuietly(channel, failure);
            throw notWritable(absolute, failure);
        } catch (StartRefusedException refused) {
            closeQuietly(channel, refused);
            throw refused;
        }
    }

    private static FileChannel openLock(Path path) throws StartRefusedException {
        try {
            Files.createDirectories(path);
            return FileChannel.open(
                    path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            throw notWritable(path, failure);
        }
    }

    private static void takeLock(Path path, FileChannel channel) throws IOException, StartRefusedException {
        if (tryLock(channel) == null) {
            throw LockFile.read(channel).inUse(path);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static void checkFreeSpace(Path path, long freeBytesMin) throws IOException, StartRefusedException {
        long free = Files.getFileStore(path).getUsableSpace();
        if (free < freeBytesMin) {
            throw new StartRefusedException(
                    Why.DISK_LOW,
                    "only %d MiB are free where %s is, %d MiB are needed"
                            .formatted(free >> 20, path, freeBytesMin >> 20),
                    "free some space there, or use another data directory");
        }
    }

    private static DirectoryIdentity readOrMakeIdentity(Path path, CellName cell, UUID newId)
            throws IOException, StartRefusedException {
        Path file = path.resolve(IDENTITY);
        if (!Files.exists(file)) {
            DirectoryIdentity made = DirectoryIdentity.ofNew(cell, newId);
            DurableFiles.replace(file, made.toText());
            return made;
        }
        DirectoryIdentity found = readIdentity(file);
        if (!found.cell().equals(cell)) {
            throw new StartRefusedException(
                    Why.OTHER_CELL,
                    "the data directory %s belongs to the cell %s, not to %s".formatted(path, found.cell(), cell),
                    "start it as the cell " + found.cell() + ", or use another data directory");
        }
        return found;
    }

    private static DirectoryIdentity readIdentity(Path file) throws IOException, StartRefusedException {
        try {
            return DirectoryIdentity.parse(Files.readString(file));
        } catch (IllegalArgumentException notOurs) {
            throw new StartRefusedException(
                    Why.OTHER_CELL,
                    "%s does not say whose it is (%s)".formatted(file, notOurs.getMessage()),
                    "use another data directory");
        }
    }

    private static StartRefusedException notWritable(Path path, IOException failure) {
        return new StartRefusedException(
                Why.NOT_WRITABLE,
                "cannot write to the data directory %s: %s".formatted(path, inWords(failure)),
                "make it writable for this user, or use another data directory");
    }

    /** An exception's own message is often a path alone, and its name is for programmers. */
    private static String inWords(IOException failure) {
        if (failure instanceof FileAlreadyExistsException existing) {
            return existing.getFile() + " is a file";
        }
        if (failure instanceof AccessDeniedException denied) {
            return denied.getFile() + " may not be written by this user";
        }
        if (failure instanceof NoSuchFileException missing) {
            return missing.getFile() + " cannot be made";
        }
        return String.valueOf(failure.getMessage());
    }

    private static void closeQuietly(FileChannel channel, Exception because) {
        try {
            channel.close();
        } catch (IOException failure) {
            because.addSuppressed(failure);
        }
    }

    /** Says in the lock file where this process answers, for those who find the directory in use. */
    public void announce(String address) throws IOException {
        new LockFile(ProcessHandle.current().pid(), address).write(lockChannel);
    }

    public Path path() {
        return path;
    }

    public CellName cell() {
        return identity.cell();
    }

    /** Whose it is, as of now. */
    public DirectoryIdentity identity() {
        return identity;
    }

    /** The replicas of one cell have the same. */
    public UUID cellId() {
        return identity.cellId();
    }

    /**
     * Refuses a directory that is another replica's, or whose replica had other company. A replica that was founded alone
     * stays alone: what it has acknowledged, others never have.
     */
    public void checkBelongsTo(Membership membership) throws StartRefusedException {
        boolean fits = membership.isAlone()
                ? !identity.isFounded()
                : identity.isFounded()
                        ? identity.replica().equals(membership.self())
                                && identity.members().keySet().equals(names(membership))
                        : !identity.hasLog();
        if (!fits) {
            throw new StartRefusedException(
                    Why.OTHER_REPLICA,
                    "the data directory %s is of %s, not of %s"
                            .formatted(
                                    path,
                                    describe(
                                            identity.replica(),
                                            identity.members().keySet()),
                                    describe(membership.self(), names(membership))),
                    "start it as that replica with the same others, or use another data directory");
        }
    }

    private static Set<String> names(Membership membership) {
        return membership.members().stream().map(Membership.Member::name).collect(Collectors.toSet());
    }

    private static String describe(String self, Set<String> members) {
        return members.size() <= 1 ? "a replica alone" : "replica " + self + " of " + new TreeSet<>(members);
    }

    /** What is to be done before a replica of several may begin its log; nothing if it has been founded. */
    public Optional<Founding.Step> foundingStep(Membership membership, Map<String, DirectoryIdentity> answers) {
        return membership.isAlone() || identity.isFounded()
                ? Optional.empty()
                : Optional.of(Founding.next(identity, membership, answers));
    }

    /** Writes down with whom this replica was founded. */
    public void founded(DirectoryIdentity founded) throws IOException {
        replaceIdentity(founded);
    }

    /** Whether a log was begun here. From then on it is never begun anew, whatever is found. */
    public boolean hasLog() {
        return identity.hasLog();
    }

    /** Remembers for ever that the log was begun; before this nothing may be acknowledged. */
    public void markLogBegun() throws IOException {
        replaceIdentity(identity.withLog());
    }

    private synchronized void replaceIdentity(DirectoryIdentity next) throws IOException {
        DurableFiles.replace(path.resolve(IDENTITY), next.toText());
        identity = next;
    }

    public Path log() {
        return path.resolve("log");
    }

    public Path checkpoints() {
        return path.resolve("checkpoints");
    }

    /** Where a checkpoint that another replica sends is put together. */
    public Path arriving() {
        return path.resolve("arriving");
    }

    /** Scratch: made again at every start. */
    public Path live() {
        return path.resolve("live");
    }

    /** Lets the directory go. The lock file stays, empty: to remove it would let two hold it at once. */
    @Override
    public void close() throws IOException {
        try (FileChannel channel = lockChannel) {
            channel.truncate(0);
        }
    }

    /** What the lock file says: who holds the directory. */
    private record LockFile(long pid, String address) {
        private static final LockFile UNKNOWN = new LockFile(0, "");
        private static final int BYTES_MAX = 4096;

        static LockFile read(FileChannel channel) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(BYTES_MAX);
            channel.read(bytes, 0);
            String[] words = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).split("\\s+", 2);
            return words[0].matches("\\d{1,18}")
                    ? new LockFile(Long.parseLong(words[0]), words.length > 1 ? words[1].strip() : "")
                    : UNKNOWN;
        }

        void write(FileChannel channel) throws IOException {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((pid + " " + address + "\n").getBytes(StandardCharsets.UTF_8)), 0);
        }

        StartRefusedException inUse(Path path) {
            String who = pid > 0 ? "pid " + pid : "a process that did not say who it is";
            String where = address.isEmpty() ? "" : " at " + address;
            return StartRefusedException.inUse(
                    Why.DIRECTORY_IN_USE,
                    "the data directory %s is in use by %s%s".formatted(path, who, where),
                    "use that one, or start another with a data directory of its own",
                    pid,
                    address);
        }
    }
}
