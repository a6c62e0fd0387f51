package dev.cella.state.core;

import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which one replica keeps everything, held by a lock while the process lives.
 *
 * <p>It contains {@code lock} (the user: a pid, and later an address), {@code identity} (the replica that owns it), {@code
 * log}, {@code checkpoints} and {@code live}. The operating system releases the lock with the process, so a killed process
 * never keeps the next one out.
 *
 * <p>The opener owns it; any thread may call its methods.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String IDENTITY = "identity";
    private static final String CHECKPOINTS = "checkpoints";

    /** A directory with this file has only a part of the cell that was to be restored in it. */
    private static final String RESTORING = "restoring";

    /** The name of a checkpoint that is put aside begins with this. */
    public static final String DAMAGED = "damaged-";

    private static final int NAMES_SHOWN = 5;

    /** Ratis appends the time. */
    private static final String REPLACED_CHECKPOINTS = CHECKPOINTS + ".tmp";

    /**
     * A directory with only these files is new: an earlier start that stopped here leaves them, and some file systems do.
     */
    private static final Set<String> NEVER_OLD = Set.of(LOCK, IDENTITY + ".next", "lost+found");

    private final Path path;
    private final FileChannel lockChannel;
    private final long freeBytesMin;
    private volatile DirectoryIdentity identity;
    private volatile @Nullable LogPeer expected;

    /** Guarded by this. */
    private @Nullable Reach reach;

    private DataDirectory(Path path, FileChannel lockChannel, long freeBytesMin, DirectoryIdentity identity) {
        this.path = path;
        this.lockChannel = lockChannel;
        this.freeBytesMin = freeBytesMin;
        this.identity = identity;
    }

    /**
     * Takes the directory for that cell. Makes the directory if it does not exist.
     *
     * @param freeBytesMin with less free space the start is refused
     * @param newId the identity for a directory that has none yet
     */
    public static DataDirectory open(Path path, CellName cell, long freeBytesMin, UUID newId)
            throws StartRefusedException {
        return open(path, cell, freeBytesMin, newId, Set.of());
    }

    /**
     * As above, for a directory that other programs use too.
     *
     * @param beside names of files in it that are not this replica's; with any other file, a directory without an identity is
     *     not new
     */
    public static DataDirectory open(Path path, CellName cell, long freeBytesMin, UUID newId, Set<String> beside)
            throws StartRefusedException {
        return open(path, freeBytesMin, absolute -> {
            checkIsRestored(absolute);
            return readOrMakeIdentity(absolute, cell, newId, beside);
        });
    }

    /** As above, for an empty directory in which a cell is restored. Until {@link #restored} it cannot be opened again. */
    public static DataDirectory openToRestore(Path path, CellName cell, long freeBytesMin, UUID newId)
            throws StartRefusedException {
        return open(path, freeBytesMin, absolute -> {
            DurableFiles.write(absolute.resolve(RESTORING));
            DurableFiles.sync(absolute);
            return readOrMakeIdentity(absolute, cell, newId, Set.of(RESTORING));
        });
    }

    /** Finds or makes the identity of a directory whose lock is taken. */
    private interface Identification {
        DirectoryIdentity of(Path absolute) throws IOException, StartRefusedException;
    }

    private static DataDirectory open(Path path, long freeBytesMin, Identification identification)
            throws StartRefusedException {
        Path absolute = path.toAbsolutePath().normalize();
        FileChannel channel = openLock(absolute);
        try {
            takeLock(absolute, channel);
            checkFreeSpace(absolute, freeBytesMin);
            DirectoryIdentity identity = identification.of(absolute);
            DataDirectory directory = new DataDirectory(absolute, channel, freeBytesMin, identity);
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
            OwnersOnly.createDirectories(path);
            return OwnersOnly.open(
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

    /** A start would found a new, empty cell of that name, and the agents of the former one would end all tasks. */
    private static void checkIsRestored(Path path) throws StartRefusedException {
        if (Files.exists(path.resolve(RESTORING))) {
            throw new StartRefusedException(
                    Why.DAMAGED,
                    "a restore into the data directory %s did not finish".formatted(path),
                    "remove the directory, and restore or revive the cell again (cella cell restore, cella cell revive)");
        }
    }

    private static DirectoryIdentity readOrMakeIdentity(Path path, CellName cell, UUID newId, Set<String> beside)
            throws IOException, StartRefusedException {
        Path file = path.resolve(IDENTITY);
        if (!Files.exists(file)) {
            checkEmpty(path, beside);
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

    /** A new identity beside an old log would restart that log without its content, and use its versions twice. */
    private static void checkEmpty(Path path, Set<String> beside) throws IOException, StartRefusedException {
        try (Stream<Path> files = Files.list(path)) {
            List<String> others = files.map(file -> file.getFileName().toString())
                    .filter(name -> !NEVER_OLD.contains(name) && !beside.contains(name))
                    .sorted()
                    .toList();
            if (!others.isEmpty()) {
                throw new StartRefusedException(
                        Why.DAMAGED,
                        "the data directory %s has %s and no file %s, which says whose they are"
                                .formatted(path, some(others), IDENTITY),
                        putIdentityBack());
            }
        }
    }

    private static String some(List<String> names) {
        return names.size() <= NAMES_SHOWN
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMES_SHOWN)) + " and " + (names.size() - NAMES_SHOWN) + " more";
    }

    /** All of the restored cell is there. */
    public void restored() throws IOException {
        Files.delete(path.resolve(RESTORING));
        DurableFiles.sync(path);
    }

    /** The identity of a directory, without taking it. */
    public static DirectoryIdentity readIdentityOf(Path directory) throws IOException, StartRefusedException {
        if (!Files.isDirectory(directory)) {
            throw new StartRefusedException(
                    Why.DAMAGED, "there is no directory " + directory, "name the directory of a replica");
        }
        Path file = directory.resolve(IDENTITY);
        if (!Files.exists(file)) {
            checkEmpty(directory, Set.of());
            throw new StartRefusedException(
                    Why.DAMAGED, "the directory " + directory + " is empty", "name the directory of a replica");
        }
        return readIdentity(file);
    }

    private static DirectoryIdentity readIdentity(Path file) throws IOException, StartRefusedException {
        try {
            return DirectoryIdentity.parse(Files.readString(file));
        } catch (CharacterCodingException noText) {
            throw saysNoOwner(file, "it is no text in UTF-8");
        } catch (IllegalArgumentException notOurs) {
            throw saysNoOwner(file, String.valueOf(notOurs.getMessage()));
        }
    }

    private static StartRefusedException saysNoOwner(Path file, String fault) {
        return new StartRefusedException(
                Why.DAMAGED, "%s does not say whose it is (%s)".formatted(file, fault), putIdentityBack());
    }

    private static String putIdentityBack() {
        return "put the file %s back; if it is lost, keep the directory as it is, and replace the replica (cella cell"
                        .formatted(IDENTITY)
                + " replace) or restore a backup (cella cell restore) in an empty one";
    }

    private static StartRefusedException notWritable(Path path, IOException failure) {
        return new StartRefusedException(
                Why.NOT_WRITABLE,
                "cannot write to the data directory %s: %s".formatted(path, inWords(failure)),
                "make it writable for this user, or use another data directory");
    }

    /** An exception's own message is often only a path, and its class name is for programmers. */
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

    /** Writes this process's address into the lock file, for others that find the directory in use. */
    public void announce(String address) throws IOException {
        new LockFile(ProcessHandle.current().pid(), address).write(lockChannel);
    }

    public Path path() {
        return path;
    }

    /** Returns whether less than half of the space is free that a start needs. The log and the checkpoints need the rest. */
    public boolean isNearlyFull() {
        return path.toFile().getUsableSpace() < freeBytesMin / 2;
    }

    public CellName cell() {
        return identity.cell();
    }

    /** The current identity. */
    public DirectoryIdentity identity() {
        return identity;
    }

    /** The id that all replicas of one cell share. */
    public UUID cellId() {
        return identity.cellId();
    }

    /**
     * Refuses a directory that belongs to another replica, or to a replica with other members. A replica that was founded
     * alone stays so until the log has told it that the cell has other members. From then on the log says who the members are,
     * and the configuration says at most which member this one is.
     */
    public void checkBelongsTo(Membership membership) throws StartRefusedException {
        if (!fits(membership)) {
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

    private boolean fits(Membership membership) {
        if (!identity.peers().isEmpty() || identity.hasJoined()) {
            return membership.members().isEmpty() || replica(membership).equals(membership.self());
        }
        if (membership.isAlone()) {
            return !identity.isFounded();
        }
        return identity.isFounded()
                ? identity.replica().equals(membership.self())
                        && identity.members().keySet().equals(names(membership))
                : !identity.hasLog();
    }

    private static Set<String> names(Membership membership) {
        return membership.members().stream().map(Membership.Member::name).collect(Collectors.toSet());
    }

    private static String describe(String self, Set<String> members) {
        return members.size() <= 1 ? "a replica alone" : "replica " + self + " of " + new TreeSet<>(members);
    }

    /** Returns whether its replica can start without hearing from others: it has begun before, or there never were others. */
    public boolean isBegun(Membership membership) {
        return membership.isAlone() || identity.isOfACell();
    }

    /** The next step before a replica of several may begin its log; empty if it has been founded. */
    public Optional<Founding.Step> foundingStep(Membership membership, Map<String, DirectoryIdentity> answers) {
        return isBegun(membership) ? Optional.empty() : Optional.of(Founding.next(told(), membership, answers));
    }

    /** Records the members with which this replica was founded. */
    public void founded(DirectoryIdentity founded) throws IOException {
        changeIdentity(before -> founded);
    }

    /** The name of this replica: from its directory, or else as configured. */
    public String replica(Membership membership) {
        if (identity.isFounded()) {
            return identity.replica();
        }
        return identity.peers().isEmpty()
                ? membership.self()
                : identity.peers().get(0).name();
    }

    /** The refusal if that replica of the same cell would not accept this directory's replica as a member. */
    public Optional<StartRefusedException> refusedBy(String by, DirectoryIdentity other) {
        String self = identity.isFounded() ? identity.replica() : replica(Membership.alone());
        boolean isMember = !other.cellId().equals(identity.cellId())
                || other.peers().isEmpty()
                || other.knows(identity.peerId(self));
        if (isMember) {
            return Optional.empty();
        }
        boolean replaced = other.peers().stream().anyMatch(peer -> peer.name().equals(self));
        return Optional.of(new StartRefusedException(
                Why.OTHER_REPLICA,
                (replaced
                                ? "the cell knows replica %s by another directory, says %s"
                                : "the cell does not have replica %s any more, says %s")
                        .formatted(self, by),
                "keep the directory %s until cella cell members, asked at a majority, shows the cell without it; then remove it: on an empty one this replica waits until the cell takes it again"
                        .formatted(path)));
    }

    /**
     * This directory's replica has confirmed the log up to that entry.
     *
     * @param by what says so, for a person
     */
    public synchronized void mustReach(String by, long entry) {
        if (reach == null || reach.entry() < entry) {
            reach = new Reach(by, entry);
        }
    }

    /** Refuses an older copy of the directory, whose log ends before an entry that its replica has confirmed to others. */
    public synchronized void checkReaches(long lastEntry, String advice) throws StartRefusedException {
        if (reach != null && lastEntry < reach.entry()) {
            throw new StartRefusedException(
                    Why.OLDER_COPY,
                    "the log in %s ends with entry %d, and this replica had confirmed entry %d, says %s: the directory is an older copy, or its disk has lost what was written"
                            .formatted(path, lastEntry, reach.entry(), reach.by()),
                    advice);
        }
    }

    /** Stores the members of the log, unless they are stored already. */
    public void keepPeers(List<LogPeer> peers) throws IOException {
        changeIdentity(now -> peers.equals(now.peers()) ? now : now.withPeers(peers));
    }

    /** Tells those who ask that the cell accepts this joiner. Its empty directory begins when it learns that. */
    public void expect(LogPeer joiner) {
        expected = joiner;
    }

    /** The joiner has joined, or never will. */
    public void expectNobody() {
        expected = null;
    }

    public Optional<LogPeer> expected() {
        return Optional.ofNullable(expected);
    }

    /** The identity that other replicas get when they ask about this directory. */
    public DirectoryIdentity told() {
        if (!identity.isOfACell()) {
            return identity.knowing(EntryCodec.FEATURE_LEVEL_MAX);
        }
        LogPeer joiner = expected;
        return joiner == null
                ? identity
                : identity.withPeers(Stream.concat(identity.peers().stream(), Stream.of(joiner))
                        .toList());
    }

    /** The newest feature level at which this directory's replica may found the cell. */
    public int foundingLevel() {
        return identity.level() == 0 ? EntryCodec.FEATURE_LEVEL_MAX : identity.level();
    }

    /** Returns whether a log was begun here. From then on it never starts again. */
    public boolean hasLog() {
        return identity.hasLog();
    }

    /** Records permanently that the log was begun. Before this call nothing may be acknowledged. */
    public void markLogBegun() throws IOException {
        changeIdentity(DirectoryIdentity::withLog);
    }

    /**
     * The starting thread and the log's own threads change the identity. A change that began with an older identity would take
     * back that the log was begun, and the next start would begin the log again, without its entries.
     */
    private synchronized void changeIdentity(UnaryOperator<DirectoryIdentity> change) throws IOException {
        DirectoryIdentity next = change.apply(identity);
        if (!next.equals(identity)) {
            DurableFiles.replace(path.resolve(IDENTITY), next.toText());
            identity = next;
        }
    }

    public Path log() {
        return path.resolve("log");
    }

    public Path checkpoints() {
        return path.resolve(CHECKPOINTS);
    }

    /** A checkpoint that was put aside because it is damaged, if there is one. */
    public Optional<Path> damagedCheckpoint() throws IOException {
        if (!Files.isDirectory(checkpoints())) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(checkpoints())) {
            return files.filter(file -> file.getFileName().toString().startsWith(DAMAGED))
                    .max(Comparator.naturalOrder());
        }
    }

    /**
     * The checkpoints that Ratis moved out of the way for one from another replica, and did not remove before the process
     * ended; the oldest first.
     */
    public List<Path> replacedCheckpoints() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.getFileName().toString().startsWith(REPLACED_CHECKPOINTS))
                    .sorted()
                    .toList();
        }
    }

    /** The directory for a checkpoint that arrives from another replica. */
    public Path arriving() {
        return path.resolve("arriving");
    }

    /** The directory in which a backup is built before it is sent. */
    public Path backups() {
        return path.resolve("backups");
    }

    /** Scratch space, rebuilt at every start. */
    public Path live() {
        return path.resolve("live");
    }

    /**
     * Releases the directory. The lock file stays, empty: if it were removed, two processes could hold the lock at once.
     */
    @Override
    public void close() throws IOException {
        try (FileChannel channel = lockChannel) {
            channel.truncate(0);
        }
    }

    /** The last entry that this directory must have, and what says so. */
    private record Reach(String by, long entry) {}

    /** The content of the lock file, which names the holder of the directory. */
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
