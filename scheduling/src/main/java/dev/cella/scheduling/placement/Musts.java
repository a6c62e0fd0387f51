package dev.cella.scheduling.placement;

import dev.cella.transactions.cell.CellView;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Constraints prepared for testing one machine at a time, without an index. */
public final class Musts {
    private record Must(Constraint constraint, Predicate<String> test) {
        boolean isMetBy(Optional<String> value) {
            return value.map(test::test).orElseGet(constraint::acceptsAbsence);
        }
    }

    private final List<Must> musts;

    public Musts(List<Constraint> constraints) {
        musts = constraints.isEmpty()
                ? List.of()
                : constraints.stream()
                        .map(constraint -> new Must(constraint, constraint.test()))
                        .toList();
    }

    /** The first constraint, in the order of the job, that the machine does not meet. */
    public Optional<Constraint> firstUnmet(CellView view, int slot) {
        for (Must must : musts) {
            if (!must.isMetBy(MachineIndex.value(view, slot, must.constraint.attribute()))) {
                return Optional.of(must.constraint);
            }
        }
        return Optional.empty();
    }
}
