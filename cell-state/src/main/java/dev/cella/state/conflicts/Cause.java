package dev.cella.state.conflicts;

import dev.cella.transactions.model.Reason;
import java.util.Optional;

/** The reason why items were refused, with the dimension if an amount is the reason. */
public record Cause(Reason reason, Optional<String> dimension) implements Comparable<Cause> {
    @Override
    public int compareTo(Cause other) {
        int byReason = reason.compareTo(other.reason);
        return byReason != 0 ? byReason : dimension.orElse("").compareTo(other.dimension.orElse(""));
    }
}
