package dev.cella.state.conflicts;

import dev.cella.transactions.model.Reason;
import java.util.Optional;

/** Why items were refused, with the dimension where it is about an amount. */
public record Cause(Reason reason, Optional<String> dimension) implements Comparable<Cause> {
    @Override
    public int compareTo(Cause other) {
        int byReason = reason.compareTo(other.reason);
        return byReason != 0 ? byReason : dimension.orElse("").compareTo(other.dimension.orElse(""));
    }
}
