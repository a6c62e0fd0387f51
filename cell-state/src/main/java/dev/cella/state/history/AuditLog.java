package dev.cella.state.history;

import dev.cella.state.history.CellHistory.Cell;
import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.AskedCommand;
import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lists who asked for which command, and the result. Read from the log, so no command is missing between the oldest and the
 * newest.
 *
 * <p>Transactions, reports of agents and ends of offers are not in it, because they come by thousands a second: the log of
 * conflicts and the steps of tasks have them. It also leaves out the commands that the cell gives itself. After a restart, and
 * after a checkpoint from another replica, the audit begins with the log after the checkpoint.
 *
 * <p>The apply thread hands over bytes, and the next question decodes them. If nobody has asked for long, the apply thread
 * decodes one old command for each new one, so that no entry waits for many. It decodes more only while the commands that wait
 * take too much memory, as large jobs do. Any thread may ask, but not while reading the cell.
 *
 * <p>Some commands name their subject by identity only, and by the next question the cell may have forgotten it: a removed
 * machine is gone with the command itself. They are small and rare, so the apply thread looks up their names before it applies
 * them.
 */
public final class AuditLog {
    private static final int UNREAD_MAX = 4_096;
    private static final int UNREAD_BYTES_MAX = 8 << 20;

    /** A command as it stands in the log. */
    @SuppressWarnings("ArrayRecordComponent") // handed from the apply thread to the reader, never compared
    private record Unread(long millis, byte[] command, Optional<String> subject, CommandResult result) {}

    private final Cell cell;
    private final Principal self;
    private final RowRing rows;
    private final Queue<Unread> unread = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unreadCount = new AtomicInteger();
    private final AtomicInteger unreadBytes = new AtomicInteger();
    /** Guards the rows, and the order in which commands are taken from the queue. */
    private final ReentrantLock reading = new ReentrantLock();

    /** The names of what commands of the entry that comes are about, by their places. Owned by the apply thread. */
    private final Map<Integer, String> subjects = new HashMap<>();

    private volatile long keptAfter = -1;

    /**
     * An empty audit.
     *
     * @param self the principal of the commands that the cell gives itself
     * @param bytesMax the bound of the bytes of kept commands
     */
    public AuditLog(Cell cell, Principal self, long bytesMax) {
        this.cell = cell;
        this.self = self;
        this.rows = new RowRing(bytesMax);
    }

    /** Called by the apply thread before each entry. */
    public void entryComes(Entry entry) {
        subjects.clear();
        for (int place = 0; place < entry.commands().size(); place++) {
            byte[] command = entry.commands().get(place);
            if (CommandCodec.isAboutAnIdentity(command)) {
                Optional<AskedCommand> asked = decode(command);
                if (asked.isPresent()) {
                    subjects.put(place, subject(asked.get().command()));
                }
            }
        }
    }

    private String subject(Command command) {
        return cell.read(view -> command.accept(new Subject(view)));
    }

    /** Called by the apply thread after each entry. */
    public void entryApplied(Entry entry, List<CommandResult> results) {
        for (int place = 0; place < results.size(); place++) {
            byte[] command = entry.commands().get(place);
            if (!CommandCodec.isRoutine(command)) {
                addUnread(new Unread(
                        entry.header().wallTimeMillis(),
                        command,
                        Optional.ofNullable(subjects.get(place)),
                        results.get(place)));
            }
        }
    }

    private void addUnread(Unread newest) {
        unread.add(newest);
        int count = unreadCount.incrementAndGet();
        int bytes = unreadBytes.addAndGet(newest.command().length);
        if (count > UNREAD_MAX || bytes > UNREAD_BYTES_MAX) {
            readOldUnlessAnotherReads();
        }
    }

    private void readOldUnlessAnotherReads() {
        if (reading.tryLock()) {
            try {
                readOld();
            } finally {
                reading.unlock();
            }
        }
    }

    /** Reads one command, and more only while too many bytes wait. */
    private void readOld() {
        Unread next = unread.poll();
        while (next != null) {
            read(next);
            next = unreadBytes.get() > UNREAD_BYTES_MAX ? unread.poll() : null;
        }
    }

    /** Asks when all commands are read. */
    private <T> T ask(Supplier<T> question) {
        reading.lock();
        try {
            for (Unread next = unread.poll(); next != null; next = unread.poll()) {
                read(next);
            }
            return question.get();
        } finally {
            reading.unlock();
        }
    }

    /**
     * Called before the first entry, and on the apply thread when the cell has become another replica's. Nothing up to that
     * version is known: commands from before it would be shown with a gap behind them, so they are dropped.
     */
    public void begin(long version) {
        reading.lock();
        try {
            for (Unread next = unread.poll(); next != null; next = unread.poll()) {
                taken(next);
            }
            rows.clear();
            keptAfter = version;
        } finally {
            reading.unlock();
        }
    }

    private void taken(Unread next) {
        unreadCount.decrementAndGet();
        unreadBytes.addAndGet(-next.command().length);
    }

    private void read(Unread next) {
        taken(next);
        decode(next.command()).filter(asked -> !asked.principal().equals(self)).ifPresent(asked -> add(next, asked));
    }

    /** Nothing if the cell refused the command because it could not be decoded. */
    private static Optional<AskedCommand> decode(byte[] command) {
        try {
            return Optional.of(CommandCodec.decode(command));
        } catch (DamagedBytesException | IllegalArgumentException refused) {
            return Optional.empty();
        }
    }

    private void add(Unread read, AskedCommand asked) {
        String subject = read.subject().orElseGet(() -> subject(asked.command()));
        rows.add(read.result().version().number(), read.millis(), (out, names) -> {
            out.writeVarint(names.numberOf(asked.principal().text()));
            out.writeVarint(names.numberOf(kind(asked.command())));
            out.writeVarint(names.numberOf(subject));
            out.writeVarint(names.numberOf(result(read.result())));
        });
    }

    /** {@code SubmitJob} as {@code SUBMIT_JOB}; the change of a machine by what it is. */
    private static String kind(Command command) {
        if (command instanceof Command.ChangeMachine changed) {
            return changed.change().name() + "_MACHINE";
        }
        String name = command.getClass().getSimpleName();
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    private static String result(CommandResult result) {
        if (result instanceof CommandResult.Done done) {
            return done.effect().name();
        }
        return result instanceof CommandResult.Refused refused
                ? refused.reason().name()
                : "DECIDED";
    }

    /** The commands after that version, the oldest first. */
    public List<AuditedCommand> after(long version, Optional<String> principal, int commandsMax) {
        List<AuditedCommand> found = ask(() -> all(version, principal));
        return found.subList(0, Math.min(commandsMax, found.size()));
    }

    private List<AuditedCommand> all(long after, Optional<String> principal) {
        List<AuditedCommand> found = new ArrayList<>();
        rows.newestFirst(segment -> {
            if (segment.lastVersion() > after) {
                List<AuditedCommand> here = in(segment, after, principal);
                Collections.reverse(here);
                found.addAll(here);
            }
            return segment.firstVersion() > after;
        });
        Collections.reverse(found);
        return found;
    }

    private static List<AuditedCommand> in(Segment segment, long after, Optional<String> principal) {
        List<AuditedCommand> found = new ArrayList<>();
        ByteReader in = segment.reader();
        long version = segment.firstVersion();
        long latestMillis = segment.firstMillis();
        while (in.hasRemaining()) {
            version += in.readVarint();
            long atMillis = latestMillis + in.readSigned();
            latestMillis = Math.max(latestMillis, atMillis);
            AuditedCommand command = new AuditedCommand(
                    version,
                    atMillis,
                    segment.name(in.readInt()),
                    segment.name(in.readInt()),
                    segment.name(in.readInt()),
                    segment.name(in.readInt()));
            if (version > after && principal.map(command.principal()::equals).orElse(true)) {
                found.add(command);
            }
        }
        return found;
    }

    /** The version before the first command that can be here: the audit of this replica has nothing older. */
    public long keptAfter() {
        return ask(rows::oldestAfterADrop)
                .map(segment -> segment.firstVersion() - 1)
                .orElse(keptAfter);
    }

    /** The name of what a command is about, as the view has it. */
    private static final class Subject implements Command.Visitor<String> {
        private final CellView view;

        Subject(CellView view) {
            this.view = view;
        }

        private String job(JobId id) {
            return view.job(id).map(JobRow::name).orElseGet(id::toString);
        }

        private String machine(MachineId id) {
            OptionalInt slot = view.findMachine(id);
            return slot.isPresent() ? view.machineName(slot.getAsInt()) : id.toString();
        }

        private String session(SessionId id) {
            return view.session(id)
                    .map(row -> row.scheduler() + "/" + row.instance())
                    .orElseGet(id::toString);
        }

        @Override
        public String visit(Command.FoundCell command) {
            return command.name().text();
        }

        @Override
        public String visit(Command.RaiseFeatureLevel command) {
            return Integer.toString(command.level());
        }

        @Override
        public String visit(Command.AddDimension command) {
            return command.dimension().name();
        }

        @Override
        public String visit(Command.PutMachine command) {
            return command.name();
        }

        @Override
        public String visit(Command.ChangeMachine command) {
            return machine(command.machine());
        }

        @Override
        public String visit(Command.LoseMachine command) {
            return machine(command.machine());
        }

        @Override
        public String visit(Command.ContinueLoss command) {
            return machine(command.machine());
        }

        @Override
        public String visit(Command.SubmitJob command) {
            return command.header().name();
        }

        @Override
        public String visit(Command.StopJob command) {
            return job(command.job());
        }

        @Override
        public String visit(Command.ContinueStop command) {
            return job(command.job());
        }

        @Override
        public String visit(Command.ReportTask command) {
            return "";
        }

        @Override
        public String visit(Command.ReportTasks command) {
            return "";
        }

        @Override
        public String visit(Command.OpenSession command) {
            return command.scheduler() + "/" + command.instance();
        }

        @Override
        public String visit(Command.CloseSession command) {
            return session(command.session());
        }

        @Override
        public String visit(Command.EndOffer command) {
            return "";
        }

        @Override
        public String visit(Command.WantOffers command) {
            return command.scheduler();
        }

        @Override
        public String visit(Command.CommitTransaction command) {
            return "";
        }

        @Override
        public String visit(Command.PutPool command) {
            return command.path();
        }

        @Override
        public String visit(Command.DefinePool command) {
            return command.path();
        }

        @Override
        public String visit(Command.RemovePool command) {
            return command.path();
        }

        @Override
        public String visit(Command.SetRights command) {
            return command.scheduler();
        }

        @Override
        public String visit(Command.PauseScheduler command) {
            return command.scheduler();
        }

        @Override
        public String visit(Command.ScaleGroup command) {
            return job(command.job());
        }

        @Override
        public String visit(Command.ForgetJob command) {
            return job(command.job());
        }

        @Override
        public String visit(Command.DrainMachine command) {
            return machine(command.machine());
        }

        @Override
        public String visit(Command.ContinueDrain command) {
            return machine(command.machine());
        }

        @Override
        public String visit(Command.PutToken command) {
            return command.token().name();
        }

        @Override
        public String visit(Command.RevokeToken command) {
            return command.name();
        }
    }
}
