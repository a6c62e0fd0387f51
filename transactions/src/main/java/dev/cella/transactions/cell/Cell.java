package dev.cella.transactions.cell;

import dev.cella.transactions.cell.commands.Answers;
import dev.cella.transactions.cell.commands.Commit;
import dev.cella.transactions.cell.commands.CopyEnds;
import dev.cella.transactions.cell.commands.FollowUps;
import dev.cella.transactions.cell.commands.JobCommands;
import dev.cella.transactions.cell.commands.MachineCommands;
import dev.cella.transactions.cell.commands.PolicyCommands;
import dev.cella.transactions.cell.commands.SessionCommands;
import dev.cella.transactions.cell.commands.TaskReports;
import dev.cella.transactions.cell.commands.TokenCommands;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.copies.SnapshotReader;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.ReadAhead;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.ChangeWriter;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The common copy of the cell state: applies the log, command by command, the same way on every replica.
 *
 * <p>Each command takes one version, even if it is refused, repeated or cannot be decoded. The cell checks a command
 * completely before the first write. All writes go through the tables' mutators, which append to the stream of changes that
 * private copies follow ({@link #takeChanges}). There is no I/O, clock, thread or randomness here: time comes with the entry.
 *
 * <p>The one thread that applies owns the cell. Read {@link #view} on that thread or under the owner's lock.
 */
public final class Cell {
    /** The commands of an entry, each at its place; where bytes cannot be decoded, the reason stands instead. */
    private static final class Decoded {
        private final @Nullable Command[] commands;
        private final @Nullable String[] problems;

        private Decoded(int count) {
            commands = new Command[count];
            problems = new String[count];
        }
    }

    private final CellLimits limits;
    private final ChangeWriter changes = new ChangeWriter();
    private final Tables tables;
    private final CellView view;
    private final Answers answers;
    private final OutcomeTable outcomes;
    private final Handler handler;
    private final FollowUps followUps;
    private final CopyEnds copies;
    private final ReadAhead readAhead;

    /** An empty cell. Its first command founds it, or {@link #load} fills it from a snapshot. */
    public Cell(CellLimits limits) {
        this(limits, true);
    }

    private Cell(CellLimits limits, boolean followed) {
        this.limits = limits;
        this.tables = followed ? new Tables(changes) : Tables.ofOnlyCopy();
        this.view = new CellView(tables);
        this.answers = new Answers(tables);
        this.outcomes = new OutcomeTable(limits);
        this.followUps = new FollowUps(tables, limits);
        this.handler = new Handler();
        this.copies = new CopyEnds(tables);
        this.readAhead = new ReadAhead(tables);
    }

    /**
     * A cell without followers: all its readers are on the thread that applies. It writes no changes and keeps no digests,
     * because there is no copy to compare it with.
     */
    public static Cell unfollowed(CellLimits limits) {
        return new Cell(limits, false);
    }

    public CellView view() {
        return view;
    }

    public CellLimits limits() {
        return limits;
    }

    /** Applies a whole entry. Returns one result per command, in order. */
    public List<CommandResult> apply(Entry entry) {
        int count = entry.commands().size();
        List<CommandResult> results = new ArrayList<>(count);
        for (int from = 0; from < count; from += ReadAhead.TASKS) {
            Decoded some = decode(entry.commands(), from, Math.min(count, from + ReadAhead.TASKS));
            for (int place = 0; place < some.commands.length; place++) {
                results.add(apply(entry.header(), some, place));
            }
        }
        return results;
    }

    /** Decodes a few commands, and reads ahead the tasks that they report about. */
    private Decoded decode(List<byte[]> commands, int from, int end) {
        Decoded decoded = new Decoded(end - from);
        for (int place = 0; place < end - from; place++) {
            decode(commands.get(from + place), decoded, place);
        }
        readAhead.reports(decoded.commands);
        return decoded;
    }

    private static void decode(byte[] bytes, Decoded decoded, int place) {
        try {
            decoded.commands[place] = CommandCodec.decodeCommand(bytes);
        } catch (DamagedBytesException | IllegalArgumentException undecodable) {
            decoded.problems[place] = String.valueOf(undecodable.getMessage());
        }
    }

    private CommandResult apply(EntryHeader header, Decoded decoded, int place) {
        Command command = decoded.commands[place];
        if (command != null) {
            return apply(header, command);
        }
        begin(header, null);
        CommandResult refused = answers.refused(Reason.BAD_COMMAND, decoded.problems[place]);
        tables.end();
        return refused;
    }

    /** Applies one command. */
    public CommandResult apply(EntryHeader header, Command command) {
        begin(header, originOf(command));
        CommandResult result = answer(header, command);
        copies.settle();
        tables.end();
        return result;
    }

    private void begin(EntryHeader header, @Nullable Origin origin) {
        tables.begin(tables.version() + 1, header.cellTime().millis(), header.wallTimeMillis(), origin);
    }

    private @Nullable Origin originOf(Command command) {
        if (command instanceof Command.CommitTransaction commit) {
            Transaction transaction = commit.transaction();
            return new Origin(
                    transaction.id(), transaction.scheduler(), transaction.sessionVersion(), tables.version() + 1);
        }
        return null;
    }

    private CommandResult answer(EntryHeader header, Command command) {
        boolean founds = command instanceof Command.FoundCell;
        if (founds == view.isFounded()) {
            return answers.refused(
                    Reason.WRONG_CELL, founds ? "the cell was founded before" : "the cell is not founded yet");
        }
        if (!founds && !header.incarnation().accepts(tables.incarnation())) {
            return answers.refused(Reason.OTHER_INCARNATION, "the entry belongs to " + header.incarnation());
        }
        return command.accept(handler);
    }

    /** The whole frames of changes since the last call, for the followers: private copies, the store and agents. */
    public byte[] takeChanges() {
        return changes.take();
    }

    /**
     * The versions of the outcomes that were forgotten since the last call. No {@link CommandResult.Repeated} will name them
     * again, so a keeper of whole outcomes may drop those.
     */
    public long[] takeForgottenOutcomes() {
        return outcomes.takeForgotten();
    }

    /** The memory that the index of outcomes uses. */
    public long outcomeBytes() {
        return outcomes.bytes();
    }

    /**
     * The commands that large changes still need. The leader proposes these, one after another, until none is left.
     */
    public List<Command> followUps() {
        return followUps(view.time());
    }

    /** As {@link #followUps()}, where the leader's clock is later than the newest command. */
    public List<Command> followUps(CellTime now) {
        return followUps.due(now);
    }

    /** Returns whether {@link #followUps()} has a command. This builds none. */
    public boolean hasFollowUps() {
        return followUps.isAnyDue(view.time());
    }

    /** A digest of the kept outcomes. Only common copies keep outcomes. */
    public long outcomesDigest() {
        return outcomes.digest.value();
    }

    /** The cell accepts no basis below this version. */
    public CellVersion horizon() {
        return new CellVersion(outcomes.horizon());
    }

    /**
     * The state at this version. Any thread may read the copy while the cell goes on. Call this on the thread that applies,
     * between two entries; it takes the time to copy a list of pages.
     */
    public CellCopy copy() {
        return new CellCopy(tables, outcomes);
    }

    /**
     * The machines at this version, with what is on them. This takes the time to copy a list of pages; call it where {@link
     * #copy} may be called.
     */
    public MachinesCopy copyMachines() {
        return new MachinesCopy(tables);
    }

    /**
     * The tasks of those jobs at this version. This takes the time to copy a list of pages and which task has which row; call
     * it where {@link #copy} may be called.
     */
    public TasksCopy copyTasks(Collection<JobRow> jobs) {
        return new TasksCopy(tables, jobs);
    }

    /** The whole state, outcomes included, as chunks that {@link #load} reads on an empty cell. */
    public List<byte[]> snapshot() {
        return copy().snapshot();
    }

    /** The state without the outcomes, as chunks for private copies. */
    public List<byte[]> snapshotForReplicas() {
        return copy().snapshotForReplicas();
    }

    /** Fills an empty cell from the chunks of a snapshot. */
    public void load(List<byte[]> chunks) {
        new SnapshotReader(tables).read(chunks, outcomes);
        followUps.findAll();
    }

    /**
     * Makes a loaded backup a cell of its own. The cell gets another incarnation, and its machines take no claims until their
     * agents have registered again, because nobody knows what runs there now. Call this before anything else is applied.
     */
    public void restoredAs(Incarnation incarnation) {
        Incarnation before = view.incarnation();
        tables.founded(view.name().orElseThrow(), incarnation);
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            if (tables.machines.exists(slot) && tables.machines.agent(slot) != null) {
                awaitAgent(slot, before);
            }
        }
    }

    /** A machine that waits since an earlier restore goes on waiting for the agent of the time before that one. */
    private void awaitAgent(int slot, Incarnation before) {
        MachineRow row = view.machine(slot);
        if (row.status() == MachineStatus.DOWN
                || RestoredFrom.of(row.attributes()).isPresent()) {
            return;
        }
        boolean wasReady = tables.machines.isReady(slot);
        Map<String, String> attributes = new TreeMap<>(row.attributes());
        attributes.put(
                RestoredFrom.ATTRIBUTE, new RestoredFrom(before, view.version().number(), wasReady).text());
        tables.machineRenewed(slot, row.capacityWanted(), attributes, tables.machines.agent(slot));
        if (wasReady) {
            tables.machineDrained(slot, null);
        }
    }

    /** One method per command. */
    private final class Handler implements Command.Visitor<CommandResult> {
        private final MachineCommands machines = new MachineCommands(tables, limits);
        private final JobCommands jobs = new JobCommands(tables, limits);
        private final TaskReports reports = new TaskReports(tables, limits);
        private final SessionCommands sessions = new SessionCommands(tables);
        private final PolicyCommands policies = new PolicyCommands(tables);
        private final TokenCommands tokens = new TokenCommands(tables);
        private final Commit commit = new Commit(tables, outcomes);

        @Override
        public CommandResult visit(Command.FoundCell command) {
            if (command.featureLevel() > EntryCodec.FEATURE_LEVEL_MAX) {
                return unknownLevel(command.featureLevel());
            }
            tables.founded(command.name(), command.incarnation());
            if (command.featureLevel() > tables.featureLevel()) {
                tables.featureLevelRaised(command.featureLevel());
            }
            return answers.created(0);
        }

        @Override
        public CommandResult visit(Command.RaiseFeatureLevel command) {
            if (command.level() <= tables.featureLevel()) {
                return answers.unchanged(0);
            }
            if (command.level() > EntryCodec.FEATURE_LEVEL_MAX) {
                return unknownLevel(command.level());
            }
            tables.featureLevelRaised(command.level());
            return answers.changed(0);
        }

        private CommandResult unknownLevel(int level) {
            return answers.refused(Reason.NOT_ALLOWED, "feature level " + level + " is not known here");
        }

        @Override
        public CommandResult visit(Command.AddDimension command) {
            return machines.addDimension(command);
        }

        @Override
        public CommandResult visit(Command.PutMachine command) {
            view.machine(command.name()).ifPresent(machine -> followUps.mayNeedLoss(machine.id()));
            return machines.put(command);
        }

        @Override
        public CommandResult visit(Command.ChangeMachine command) {
            followUps.mayNeedLoss(command.machine());
            return machines.change(command);
        }

        @Override
        public CommandResult visit(Command.DrainMachine command) {
            CommandResult result = machines.drain(command);
            followUps.mayNeedDrain(command.machine());
            return result;
        }

        @Override
        public CommandResult visit(Command.ContinueDrain command) {
            return machines.continueDrain(command.machine());
        }

        @Override
        public CommandResult visit(Command.LoseMachine command) {
            followUps.mayNeedLoss(command.machine());
            return machines.lose(command.machine());
        }

        @Override
        public CommandResult visit(Command.ContinueLoss command) {
            return machines.continueLoss(command.machine());
        }

        @Override
        public CommandResult visit(Command.SubmitJob command) {
            return jobs.submit(command);
        }

        @Override
        public CommandResult visit(Command.StopJob command) {
            return jobs.stop(command);
        }

        @Override
        public CommandResult visit(Command.ContinueStop command) {
            return jobs.continueStop(command.job());
        }

        @Override
        public CommandResult visit(Command.ScaleGroup command) {
            return jobs.scale(command);
        }

        @Override
        public CommandResult visit(Command.ForgetJob command) {
            return jobs.forget(command.job());
        }

        @Override
        public CommandResult visit(Command.ReportTask command) {
            return reports.report(command);
        }

        @Override
        public CommandResult visit(Command.ReportTasks command) {
            return reports.report(command);
        }

        @Override
        public CommandResult visit(Command.OpenSession command) {
            return sessions.open(command);
        }

        @Override
        public CommandResult visit(Command.EndOffer command) {
            return sessions.endOffer(command);
        }

        @Override
        public CommandResult visit(Command.WantOffers command) {
            return sessions.wantOffers(command);
        }

        @Override
        public CommandResult visit(Command.CloseSession command) {
            return sessions.close(command.session());
        }

        @Override
        public CommandResult visit(Command.PutPool command) {
            return policies.putPool(command);
        }

        @Override
        public CommandResult visit(Command.DefinePool command) {
            return policies.define(command);
        }

        @Override
        public CommandResult visit(Command.RemovePool command) {
            return policies.remove(command);
        }

        @Override
        public CommandResult visit(Command.SetRights command) {
            return policies.setRights(command);
        }

        @Override
        public CommandResult visit(Command.PauseScheduler command) {
            return policies.pause(command);
        }

        @Override
        public CommandResult visit(Command.PutToken command) {
            return tokens.put(command);
        }

        @Override
        public CommandResult visit(Command.RevokeToken command) {
            return tokens.revoke(command);
        }

        @Override
        public CommandResult visit(Command.CommitTransaction command) {
            return commit.commit(command.transaction());
        }
    }
}
