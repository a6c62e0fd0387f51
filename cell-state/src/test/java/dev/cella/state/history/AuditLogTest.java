package dev.cella.state.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.core.Samples;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class AuditLogTest {
    private static final Principal CALLER = new Principal("user:a");
    private static final int COMMANDS = 20_000;
    private static final int LARGE_JOBS = 100;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private AuditLog audit = auditOf(1 << 20);
    private long version;
    private int reads;

    private AuditLog auditOf(long bytesMax) {
        return new AuditLog(this::read, new Principal("cella"), bytesMax);
    }

    private <T> T read(Function<? super CellView, ? extends T> question) {
        reads++;
        return question.apply(cell.view());
    }

    private void apply() {
        apply(version + 1);
    }

    private void apply(long wallTimeMillis) {
        apply(wallTimeMillis, new Command.FoundCell(new CellName("cell"), new Incarnation(1)));
    }

    private void apply(long wallTimeMillis, Command command) {
        version++;
        EntryHeader header = new EntryHeader(
                EntryCodec.FEATURE_LEVEL_MAX, new CellTime(version), wallTimeMillis, new Incarnation(1));
        audit.entryApplied(
                new Entry(header, List.of(CommandCodec.encode(CALLER, command))),
                List.of(new CommandResult.Done(new CellVersion(version), CommandResult.Effect.CHANGED, 0, 0)));
    }

    /** Otherwise one entry would wait until thousands of commands are decoded. */
    @Test
    void nobodyAsks_eachEntryReadsAsManyCommandsAsItAdds() {
        for (int command = 0; command < COMMANDS; command++) {
            int before = reads;
            apply();
            assertThat(reads - before).isLessThanOrEqualTo(1);
        }
        assertThat(reads).as("commands that wait are bounded").isGreaterThan(COMMANDS / 2);

        assertThat(audit.after(0, Optional.empty(), COMMANDS + 1))
                .extracting(AuditedCommand::version)
                .hasSize(COMMANDS)
                .isSorted();
    }

    /** Otherwise some hundred large jobs that nobody asks about would fill the heap. */
    @Test
    void nobodyAsks_bytesThatWaitAreBounded() {
        for (int job = 0; job < LARGE_JOBS; job++) {
            apply(version + 1, Samples.jobOfBytes("large-" + job, Specification.BYTES_MAX));
        }
        assertThat(LARGE_JOBS - reads).as("commands of 1 MiB that wait").isBetween(1, 8);

        assertThat(audit.after(0, Optional.empty(), LARGE_JOBS + 1))
                .extracting(AuditedCommand::command)
                .hasSize(LARGE_JOBS)
                .containsOnly("SUBMIT_JOB");
    }

    /** A checkpoint of another replica has come, at a later version. */
    @Test
    void begin_afterADrop_keepsNothingFromBeforeTheGap() {
        audit = auditOf(1);
        audit.begin(0);
        while (audit.keptAfter() == 0) {
            for (int command = 0; command < COMMANDS; command++) {
                apply();
            }
        }
        apply();
        version += COMMANDS;
        long arrived = version;
        audit.begin(arrived);
        assertThat(audit.keptAfter()).isEqualTo(arrived);
        apply();
        apply();

        assertThat(audit.keptAfter()).isEqualTo(arrived);
        assertThat(audit.after(0, Optional.empty(), COMMANDS))
                .extracting(AuditedCommand::version)
                .containsExactly(arrived + 1, arrived + 2);
    }

    /** Nobody asks before the cell has forgotten them. */
    @Test
    void removedMachine_closedSession_andWhatHasGoneMeanwhile_haveTheirNames() {
        decide(new Command.FoundCell(new CellName("cell"), new Incarnation(1)));
        MachineId machine = new MachineId(
                decide(new Command.PutMachine("m", Amounts.of(1, 1), new TreeMap<>(), Optional.empty(), false)));
        SessionId session = new SessionId(
                decide(new Command.OpenSession("batch", "i1", "batch", 10_000, Optional.empty(), Optional.empty())));
        decide(new Command.ChangeMachine(machine, Command.MachineChange.DRAIN, false));
        decide(new Command.CloseSession(session));
        decide(new Command.ChangeMachine(machine, Command.MachineChange.REMOVE, false));

        assertThat(audit.after(3, Optional.empty(), COMMANDS))
                .extracting(command -> command.command() + " " + command.subject())
                .containsExactly("DRAIN_MACHINE m", "CLOSE_SESSION batch/i1", "REMOVE_MACHINE m");
    }

    /** As a replica does it. Returns the version. */
    private long decide(Command command) {
        version++;
        EntryHeader header =
                new EntryHeader(EntryCodec.FEATURE_LEVEL_MAX, new CellTime(version), version, new Incarnation(1));
        Entry entry = new Entry(header, List.of(CommandCodec.encode(CALLER, command)));
        audit.entryComes(entry);
        CommandResult result = cell.apply(header, command);
        assertThat(result).isInstanceOf(CommandResult.Done.class);
        audit.entryApplied(entry, List.of(result));
        return version;
    }

    @Test
    void wallTimeThatStepsBack_isShownAsItWas() {
        apply(1_000);
        apply(500);
        apply(600);
        apply(1_100);

        assertThat(audit.after(0, Optional.empty(), COMMANDS))
                .extracting(AuditedCommand::atMillis)
                .containsExactly(1_000L, 500L, 600L, 1_100L);
    }
}
