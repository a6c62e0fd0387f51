package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cella.transactions.codec.AskedCommand;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cell and a second, naive implementation of section 5 decide long random histories alike: every result, the whole
 * state, the private replica's digests, and those of a copy loaded from a snapshot.
 *
 * <p>{@code -Dcella.histories=N} sets how many histories are played (2,500 make a million commands), {@code -Dcella.seed=S}
 * with which seed to begin; by itself it plays that one again. A failing history is made as short as it gets by putting
 * idle commands in place of those that do not matter, and printed.
 */
class NaiveComparisonTest {
    private static final CellLimits LIMITS = new CellLimits(40, 400, 3, 60);
    private static final int COMMANDS = 400;
    private static final int STATE_EVERY = 8;
    private static final Principal PRINCIPAL = new Principal("history");
    private static final Command IDLE = new Command.AddDimension(new Dimension("cpuMilli", Dimension.Kind.COUNT));

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void histories_fromSeeds_areDecidedAlike() {
        Long seed = Long.getLong("cella.seed");
        long first = seed == null ? 1 : seed;
        int histories = Integer.getInteger("cella.histories", seed == null ? 2_500 : 1);
        for (long each = first; each < first + histories; each++) {
            play(each);
        }
    }

    private static void play(long seed) {
        Pair pair = new Pair();
        History history = new History(seed, pair.cell);
        List<Command> commands = new ArrayList<>();
        for (int at = 0; at < COMMANDS; at++) {
            Command command = history.next();
            commands.add(command);
            String difference = pair.apply(command);
            if (difference != null) {
                fail("seed %s, command %s: %s%n%s".formatted(seed, at, difference, shrink(commands)));
            }
        }
        assertThat(pair.reloadedDiffers()).as("seed " + seed).isFalse();
    }

    // ---- a shorter history that differs too

    private static String shrink(List<Command> commands) {
        List<Command> shorter = new ArrayList<>(commands);
        for (int chunk = Math.max(1, commands.size() / 2); chunk > 0; chunk /= 2) {
            for (int from = 0; from < shorter.size(); from += chunk) {
                List<Command> tried = new ArrayList<>(shorter);
                for (int at = from; at < Math.min(from + chunk, tried.size()); at++) {
                    tried.set(at, IDLE);
                }
                if (differs(tried)) {
                    shorter = tried;
                }
            }
        }
        return transcript(shorter);
    }

    private static boolean differs(List<Command> commands) {
        Pair pair = new Pair();
        for (Command command : commands) {
            if (pair.apply(command) != null) {
                return true;
            }
        }
        return false;
    }

    private static String transcript(List<Command> commands) {
        StringBuilder text = new StringBuilder();
        Pair pair = new Pair();
        for (Command command : commands) {
            String difference = pair.apply(command);
            if (command != IDLE) {
                text.append(
                        command instanceof Command.CommitTransaction commit ? describe(commit) : command.toString());
                text.append('\n').append("    ").append(pair.cellSaid).append('\n');
            }
            if (difference != null) {
                return text.append(difference).toString();
            }
        }
        return text.toString();
    }

    private static String describe(Command.CommitTransaction commit) {
        var transaction = commit.transaction();
        StringBuilder text = new StringBuilder(transaction.toString());
        text.append(' ').append(transaction.atomicity()).append(' ').append(transaction.conflictRule());
        text.append(transaction.seesOwn() ? " seesOwn " : " ").append(transaction.session());
        for (int claim = 0; claim < transaction.claims(); claim++) {
            text.append("\n  - ").append(transaction.claim(claim));
        }
        transaction.evictions().forEach(eviction -> text.append("\n  - ").append(eviction));
        transaction.holds().forEach(hold -> text.append("\n  - ").append(hold));
        transaction.steps().forEach(step -> text.append("\n  - ").append(step));
        transaction.scales().forEach(scale -> text.append("\n  - ").append(scale));
        transaction
                .progress()
                .forEach((job, progress) ->
                        text.append("\n  - ").append(job).append(" remembers ").append(progress));
        return text.toString();
    }

    /** Both implementations, and a replica. */
    private static final class Pair {
        final Cell cell = new Cell(LIMITS);
        private final NaiveCell naive = new NaiveCell(LIMITS);
        private final CellReplica replica = new CellReplica();
        private final WholeOutcomes outcomes = new WholeOutcomes();
        private long cellTimeMillis = 1_000;
        String cellSaid = "";

        /** What differs, or null. */
        @Nullable
        String apply(Command command) {
            cellTimeMillis += new Random(cell.view().version().number()).nextInt(5);
            EntryHeader header = new EntryHeader(1, new CellTime(cellTimeMillis), cellTimeMillis, Incarnation.UNSAID);
            AskedCommand asked = CommandCodec.decode(CommandCodec.encode(PRINCIPAL, command));
            cellSaid = describe(outcomes.whole(cell.apply(header, asked.command())));
            outcomes.forget(cell.takeForgottenOutcomes());
            String naiveSaid = describe(naive.apply(command, cellTimeMillis));
            replica.applyChanges(cell.takeChanges());
            if (!cellSaid.equals(naiveSaid)) {
                return "the cell says\n    " + cellSaid + "\nthe naive one\n    " + naiveSaid;
            }
            if (!replica.view().digests().equals(cell.view().digests())) {
                return "the replica has other digests";
            }
            return cell.view().version().number() % STATE_EVERY == 0 ? differenceInState() : null;
        }

        private @Nullable String differenceInState() {
            try {
                Truths.check(cell.view());
            } catch (IllegalStateException untrue) {
                return untrue.getMessage();
            }
            String shows = dump(cell.view(), cell.horizon().number());
            String naiveShows = naive.dump();
            return shows.equals(naiveShows)
                    ? null
                    : difference(shows.lines().toList(), naiveShows.lines().toList());
        }

        private static String difference(List<String> shows, List<String> naiveShows) {
            List<String> more = new ArrayList<>(shows);
            more.removeAll(naiveShows);
            List<String> less = new ArrayList<>(naiveShows);
            less.removeAll(shows);
            return "the cell shows " + more + ", the naive one " + less;
        }

        boolean reloadedDiffers() {
            Cell loaded = new Cell(LIMITS);
            loaded.load(cell.snapshot());
            return !loaded.view().digests().equals(cell.view().digests())
                    || loaded.outcomesDigest() != cell.outcomesDigest()
                    || !dump(loaded.view(), loaded.horizon().number())
                            .equals(dump(cell.view(), cell.horizon().number()));
        }
    }

    private static String describe(CommandResult result) {
        if (result instanceof CommandResult.Done done) {
            return done.version() + " " + done.effect();
        } else if (result instanceof CommandResult.Refused refused) {
            return refused.version() + " refused " + refused.reason();
        }
        return result.toString();
    }

    // ---- everything a view shows, in the words of the naive one

    private static String dump(CellView view, long horizon) {
        StringBuilder text = new StringBuilder();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                dumpMachine(text, view, slot);
            }
        }
        view.jobs()
                .forEach(job -> text.append("job ")
                        .append(job.id())
                        .append(' ')
                        .append(job.state())
                        .append(' ')
                        .append(job.generation())
                        .append(' ')
                        .append(job.header())
                        .append(' ')
                        .append(job.progress().digest())
                        .append('\n'));
        view.jobs()
                .forEach(job -> job.groups().forEach(group -> {
                    for (int index = 0; index < Math.max(group.header().count(), group.rowsEnd()); index++) {
                        view.task(new TaskId(job.id(), group.place(), index)).ifPresent(task -> dumpTask(text, task));
                    }
                }));
        text.append("sessions ")
                .append(view.sessions().stream()
                        .map(session -> session.id().version())
                        .toList())
                .append('\n');
        return text.append("horizon ").append(horizon).append('\n').toString();
    }

    private static void dumpMachine(StringBuilder text, CellView view, int slot) {
        Tables tables = view.tables();
        text.append("machine ")
                .append(slot)
                .append(' ')
                .append(view.machineName(slot))
                .append(' ');
        text.append(view.registeredVersion(slot)).append(' ').append(tables.machines.isDraining(slot));
        text.append(tables.machines.drain(slot));
        text.append(tables.machines.isDown(slot)).append(view.tasksOn(slot));
        for (int dimension = 0; dimension < view.dimensions().size(); dimension++) {
            text.append(' ').append(view.capacity(slot, dimension)).append('/').append(view.free(slot, dimension));
            if (view.dimensions().isSet(dimension)) {
                text.append('=').append(tables.machines.members(slot).capacity().at(dimension));
            }
        }
        text.append(' ').append(view.claimedVersion(slot));
        view.holdsOn(slot)
                .forEach(hold -> text.append(" hold ")
                        .append(hold.job().id())
                        .append(hold.got())
                        .append(hold.wanted()));
        text.append('\n');
    }

    private static void dumpTask(StringBuilder text, TaskRow task) {
        text.append("task ")
                .append(task.id())
                .append(' ')
                .append(task.state())
                .append(' ')
                .append(task.reason());
        text.append(' ').append(task.attempt()).append(' ').append(task.failures());
        text.append(' ')
                .append(task.machine().orElse(-1))
                .append(' ')
                .append(task.waitingFor())
                .append(task.state().isOnMachine() ? task.resources() : "")
                .append('\n');
    }
}
