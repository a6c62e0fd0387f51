package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.fail;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.AskedCommand;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.naive.NaiveCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cell and a second, naive implementation of section 5 decide long random histories in the same way. The test compares
 * every result, the whole state and the private replica's digests. After each hundred commands, cell and replica continue as
 * loaded from snapshots.
 *
 * <p>{@code -Dcella.histories=N} sets the number of histories (2,500 make a million commands), and {@code -Dcella.seed=S} the
 * first seed; alone it plays that one history again. {@code -Dcella.threads=N} plays N at once. The test shortens a failing
 * history by replacing commands that do not matter with idle ones, and prints it; {@code -Dcella.shorten=false} leaves it as
 * it is.
 */
class NaiveComparisonTest {
    private static final CellLimits LIMITS = new CellLimits(40, 400, 3, 60);
    private static final int COMMANDS = 400;
    private static final int STATE_EVERY = 8;
    private static final int RELOAD_EVERY = 100;
    /** The gate's machine has two cores, and no other test of the module runs at the same time. */
    private static final int THREADS = Math.min(2, Runtime.getRuntime().availableProcessors());

    private static final int HISTORIES_A_ROUND = 2_500;
    private static final boolean SHORTENS = !"false".equals(System.getProperty("cella.shorten"));
    private static final Principal PRINCIPAL = new Principal("history");
    private static final CommandResult NOTHING = new CommandResult.Refused(CellVersion.NONE, Reason.WRONG_CELL, "");
    private static final Command IDLE = new Command.AddDimension(new Dimension("cpuMilli", Dimension.Kind.COUNT));

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void histories_fromSeeds_areDecidedAlike() throws InterruptedException, ExecutionException {
        Long seed = Long.getLong("cella.seed");
        long first = seed == null ? 1 : seed;
        long end = first + Integer.getInteger("cella.histories", seed == null ? HISTORIES_A_ROUND : 1);
        ExecutorService threads = Executors.newFixedThreadPool(Integer.getInteger("cella.threads", THREADS));
        try {
            for (long from = first; from < end; from += HISTORIES_A_ROUND) {
                long to = Math.min(end, from + HISTORIES_A_ROUND);
                playAll(from, to, threads);
                System.out.println("histories of seeds " + from + " to " + (to - 1) + " are decided alike");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void playAll(long from, long to, ExecutorService threads)
            throws InterruptedException, ExecutionException {
        List<Callable<Long>> plays = new ArrayList<>();
        for (long seed = from; seed < to; seed++) {
            long each = seed;
            plays.add(() -> play(each));
        }
        for (Future<Long> played : threads.invokeAll(plays)) {
            played.get();
        }
    }

    private static long play(long seed) {
        Pair pair = new Pair();
        History history = new History(seed, pair.cell);
        List<Command> commands = new ArrayList<>();
        for (int at = 0; at < COMMANDS; at++) {
            history.moveTo(pair.cell);
            Command command = history.next();
            commands.add(command);
            String difference = pair.apply(command);
            if (difference != null) {
                List<Command> failing = SHORTENS ? shrink(commands) : commands;
                fail("seed %s, command %s: %s%n%s".formatted(seed, at, difference, transcript(failing)));
            }
        }
        return seed;
    }

    // ---- shortening a history that differs

    private static List<Command> shrink(List<Command> commands) {
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
        return shorter;
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
        Cell cell = new Cell(LIMITS);
        private final NaiveCell naive = new NaiveCell(LIMITS);
        private CellReplica replica = new CellReplica();
        private final WholeOutcomes outcomes = new WholeOutcomes();
        private long cellTimeMillis = 1_000;
        CommandResult cellSaid = NOTHING;

        /** The difference, or null. */
        @Nullable
        String apply(Command command) {
            cellTimeMillis += new Random(cell.view().version().number()).nextInt(5);
            EntryHeader header = new EntryHeader(1, new CellTime(cellTimeMillis), cellTimeMillis, Incarnation.UNSAID);
            AskedCommand asked = CommandCodec.decode(CommandCodec.encode(PRINCIPAL, command));
            cellSaid = comparable(outcomes.whole(cell.apply(header, asked.command())));
            outcomes.forget(cell.takeForgottenOutcomes());
            CommandResult naiveSaid = naive.apply(command, cellTimeMillis);
            replica.applyChanges(cell.takeChanges());
            if (!cellSaid.equals(naiveSaid)) {
                return "the cell says\n    " + cellSaid + "\nthe naive one\n    " + naiveSaid;
            }
            if (!replica.view().digests().equals(cell.view().digests())) {
                return "the replica has other digests";
            }
            long version = cell.view().version().number();
            String difference = version % STATE_EVERY == 0 ? differenceInState() : null;
            return difference == null && version % RELOAD_EVERY == 0 ? reload() : difference;
        }

        private @Nullable String differenceInState() {
            try {
                cell.view().checkTruths();
            } catch (IllegalStateException untrue) {
                return untrue.getMessage();
            }
            List<List<Object>> shows = CellRows.of(cell);
            List<List<Object>> naiveShows = naive.rows();
            return shows.equals(naiveShows) ? null : difference(shows, naiveShows);
        }

        private static String difference(List<List<Object>> shows, List<List<Object>> naiveShows) {
            List<List<Object>> more = new ArrayList<>(shows);
            more.removeAll(naiveShows);
            List<List<Object>> less = new ArrayList<>(naiveShows);
            less.removeAll(shows);
            return "the cell shows " + more + ", the naive one " + less;
        }

        /** Continues with copies that were loaded from snapshots. Returns a difference from the cell, or null. */
        private @Nullable String reload() {
            Cell loaded = new Cell(LIMITS);
            loaded.load(cell.snapshot());
            replica = new CellReplica();
            replica.load(cell.copy().snapshotForReplicas());
            boolean same = loaded.view().digests().equals(cell.view().digests())
                    && loaded.outcomesDigest() == cell.outcomesDigest()
                    && loaded.followUps().equals(cell.followUps())
                    && CellRows.of(loaded).equals(CellRows.of(cell));
            cell = loaded;
            return same ? null : "the cell is another one when it is loaded from its snapshot";
        }
    }

    /** The part of a result that the naive cell has too: no messages, and versions as the only identities. */
    private static CommandResult comparable(CommandResult result) {
        if (result instanceof CommandResult.Done done) {
            return new CommandResult.Done(done.version(), done.effect(), 0, 0);
        } else if (result instanceof CommandResult.Refused refused) {
            return new CommandResult.Refused(refused.version(), refused.reason(), "");
        }
        return result;
    }
}
