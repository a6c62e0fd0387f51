package dev.cella.state.conflicts;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.state.history.Span;
import dev.cella.transactions.model.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Selects lost claims: those that match everything that the filter names.
 *
 * @param task {@code job}, {@code job/group} or {@code job/group/index}
 */
public record LedgerFilter(
        Span span,
        Optional<String> loser,
        Optional<String> winner,
        Optional<String> machine,
        Optional<String> task,
        Optional<Reason> reason,
        Optional<String> dimension) {
    public static final LedgerFilter ALL = new LedgerFilter(
            Span.EVER,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    public LedgerFilter within(Span other) {
        return new LedgerFilter(other, loser, winner, machine, task, reason, dimension);
    }

    public LedgerFilter ofLoser(Optional<String> other) {
        return new LedgerFilter(span, other, winner, machine, task, reason, dimension);
    }

    public LedgerFilter ofTask(Optional<String> other) {
        return new LedgerFilter(span, loser, winner, machine, other, reason, dimension);
    }

    /** The filter in the numbers of one segment; empty if a name of the filter is not in the segment. */
    @SuppressWarnings("EnumOrdinal") // a row is read by the program that wrote it
    Optional<InSegment> in(Segment segment) {
        List<String> parts = task.map(text -> List.of(text.split("/", 3))).orElse(List.of());
        InSegment here = new InSegment(
                span,
                number(segment, loser),
                number(segment, winner),
                number(segment, machine),
                number(segment, parts.stream().findFirst()),
                number(segment, parts.stream().skip(1).findFirst()),
                parts.size() > 2 ? OptionalInt.of(index(parts.get(2))) : OptionalInt.empty(),
                reason.map(word -> OptionalInt.of(word.ordinal())).orElse(OptionalInt.empty()),
                number(segment, dimension));
        return here.isPossible() ? Optional.of(here) : Optional.empty();
    }

    private static OptionalInt number(Segment segment, Optional<String> name) {
        return name.map(asked -> OptionalInt.of(segment.find(asked))).orElse(OptionalInt.empty());
    }

    private static int index(String text) {
        return text.matches("\\d{1,6}") ? Integer.parseInt(text) : -1;
    }

    /** A number that is not set accepts every row; -1 is a name that no row has. */
    record InSegment(
            Span span,
            OptionalInt loser,
            OptionalInt winner,
            OptionalInt machine,
            OptionalInt job,
            OptionalInt group,
            OptionalInt index,
            OptionalInt reason,
            OptionalInt dimension) {
        boolean isPossible() {
            return loser.orElse(0) >= 0
                    && winner.orElse(0) >= 0
                    && machine.orElse(0) >= 0
                    && job.orElse(0) >= 0
                    && group.orElse(0) >= 0
                    && index.orElse(0) >= 0
                    && dimension.orElse(0) >= 0;
        }

        boolean accepts(LedgerCursor row) {
            return job.orElse(row.jobName) == row.jobName
                    && machine.orElse(row.machine) == row.machine
                    && loser.orElse(row.loser) == row.loser
                    && winner.orElse(row.winner) == row.winner
                    && group.orElse(row.groupName) == row.groupName
                    && index.orElse(row.index) == row.index
                    && reason.orElse(row.reason) == row.reason
                    && dimension.orElse(row.dimension) == row.dimension
                    && span.has(row.version, row.millis);
        }
    }
}
