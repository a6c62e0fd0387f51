package dev.cella.state.web.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.Machine;
import dev.cella.state.core.Samples;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RowCutsTest {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Incarnation HISTORY = new Incarnation(1);
    private static final int COMMANDS = 400;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final JsonCodec codec = new JsonCodec();
    private long nowNanos = EVERY.toNanos();
    private int transactions;

    private RowReplica followed() {
        apply(new Command.FoundCell(new CellName("cella"), HISTORY, 1));
        apply(Samples.machine("m-1"));
        apply(Samples.machine("m-2"));
        cell.takeChanges();
        return new RowReplica(codec, cell.snapshotForReplicas(), false);
    }

    private void apply(Command command) {
        EntryHeader header = new EntryHeader(1, CellTime.ZERO, 0, HISTORY);
        cell.apply(new Entry(header, List.of(CommandCodec.encode(Samples.TEST, command))));
    }

    private void claim(JobRow job, int index, int slot) {
        Transaction transaction = Transaction.builder(new TransactionId("t-" + transactions++), "batch")
                .basis(cell.view().version())
                .claim(job.id().version(), 0, index, job.generation(), slot)
                .build();
        apply(new Command.CommitTransaction(transaction));
    }

    private JobRow submit(String name, int tasks) {
        apply(Samples.emptyJob(name, tasks));
        return cell.view().job(name).orElseThrow();
    }

    @Test
    void rowsThatChangeInManyVersions_areMadeOnce_forAllReaders() {
        RowReplica replica = followed();
        RowCuts cuts = replica.cuts(new RowCuts.Content(false, true));
        long from = replica.version();
        JobRow job = submit("work", 8);
        for (int task = 0; task < 8; task++) {
            claim(job, task, 0);
            replica.apply(cell.takeChanges(), List.of(cuts));
        }

        List<VersionChange> read = cuts.after(from, nowNanos, EVERY).events();
        List<VersionChange> readByAnother =
                cuts.after(from, nowNanos + 1, EVERY).events();

        assertThat(read).hasSize(1);
        assertThat(read.get(0).rows()).extracting(ChangedRow::name).containsExactlyInAnyOrder("m-1", "work");
        assertThat(readByAnother.get(0)).isSameAs(read.get(0));
        RowImage machine = row(read.get(0), "m-1");
        assertThat(machine.json()).isSameAs(row(readByAnother.get(0), "m-1").json());
        assertThat(((Machine) machine.message()).getTaskCount()).isEqualTo(8);
        assertThat(((Machine) machine.message()).getTasksList()).isEmpty();
    }

    private static RowImage row(VersionChange change, String name) {
        return change.rows().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .flatMap(ChangedRow::row)
                .orElseThrow();
    }

    @Test
    void aYoungCut_isNewEnough_andAnOlderVersionIsLost() {
        RowReplica replica = followed();
        RowCuts cuts = replica.cuts(new RowCuts.Content(false, false));
        long from = replica.version();
        submit("one", 1);
        replica.apply(cell.takeChanges(), List.of(cuts));
        long first = cuts.after(from, nowNanos, EVERY).events().get(0).version();
        submit("other", 1);
        replica.apply(cell.takeChanges(), List.of(cuts));

        assertThat(cuts.after(first, nowNanos + EVERY.toNanos() / 4, EVERY).events())
                .isEmpty();
        assertThat(cuts.after(first, nowNanos + EVERY.toNanos(), EVERY).events())
                .hasSize(1);
        assertThat(cuts.after(from - 1, nowNanos, EVERY).lost()).isTrue();
    }

    /** One who puts the cuts together has the rows of the cell, whatever came and went in between. */
    @Test
    void cutsOfARandomHistory_leadToTheRowsOfTheCell() {
        RowReplica replica = followed();
        RowCuts cuts = replica.cuts(new RowCuts.Content(true, false));
        Map<String, String> drawn = new TreeMap<>();
        rowsOf(replica).forEach(row -> draw(drawn, row));
        Random random = new Random(7);
        long version = replica.version();
        for (int command = 0; command < COMMANDS; command++) {
            next(random);
            replica.apply(cell.takeChanges(), List.of(cuts));
            if (random.nextInt(5) == 0) {
                nowNanos += EVERY.toNanos();
                for (VersionChange change : cuts.after(version, nowNanos, EVERY).events()) {
                    change.rows().forEach(row -> draw(drawn, row));
                    version = change.version();
                }
                Map<String, String> there = new TreeMap<>();
                rowsOf(replica).forEach(row -> draw(there, row));
                assertThat(drawn).as("after command " + command).isEqualTo(there);
            }
        }
        assertThat(drawn.keySet()).anyMatch(key -> key.startsWith("TASK"));
    }

    private static List<ChangedRow> rowsOf(RowReplica replica) {
        return replica.rows(FeedFilter.EVERYTHING).take(Integer.MAX_VALUE);
    }

    /** Tasks that were never placed are in no copy of the rows. */
    private static void draw(Map<String, String> drawn, ChangedRow row) {
        String key = row.kind() + " " + row.name();
        String json = row.row().map(RowImage::json).orElse("");
        if (json.isEmpty() || (row.kind() == ChangedRow.Kind.TASK && json.contains("\"attempt\":0"))) {
            drawn.remove(key);
        } else {
            drawn.put(key, json);
        }
    }

    private void next(Random random) {
        String machine = "m-" + random.nextInt(4);
        String job = "j-" + random.nextInt(4);
        switch (random.nextInt(4)) {
            case 0 -> apply(Samples.machine(machine));
            case 1 ->
                cell.view()
                        .findMachine(machine)
                        .ifPresent(slot -> apply(new Command.ChangeMachine(
                                cell.view().machineId(slot), Command.MachineChange.REMOVE, true)));
            case 2 -> {
                if (cell.view().job(job).isPresent() && random.nextBoolean()) {
                    apply(new Command.StopJob(cell.view().job(job).get().id()));
                } else {
                    apply(Samples.emptyJob(job, 3));
                }
            }
            default ->
                cell.view()
                        .job(job)
                        .ifPresent(row -> claim(
                                row,
                                random.nextInt(3),
                                random.nextInt(Math.max(1, cell.view().machineSlots()))));
        }
    }
}
