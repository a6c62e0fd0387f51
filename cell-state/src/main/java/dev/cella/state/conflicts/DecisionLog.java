package dev.cella.state.conflicts;

import dev.cella.state.history.RowRing;
import dev.cella.transactions.codec.ByteReader;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The newest decided transactions: the basis of each, and the results of its claims. A user who looks at a single conflict
 * asks for one transaction by its version. Guarded by {@link ConflictLog}.
 */
final class DecisionLog {
    private final RowRing rows;

    DecisionLog(long bytesMax) {
        rows = new RowRing(bytesMax);
    }

    void add(DecidedTransaction decided) {
        rows.add(decided.origin().version(), decided.atMillis(), (out, names) -> {
            out.writeSigned(decided.origin().version() - decided.basis());
            out.writeVarint(decided.accepted());
            out.writeVarint(decided.conflicted());
            out.writeVarint(decided.refused());
            out.writeVarint(names.numberOf(decided.origin().scheduler()));
        });
    }

    void clear() {
        rows.clear();
    }

    Optional<LoggedDecision> at(long version) {
        return lastUpTo(version).filter(decision -> decision.version() == version);
    }

    /** The time at which the last transaction up to that version was decided. */
    OptionalLong millisUpTo(long version) {
        return lastUpTo(version)
                .map(decision -> OptionalLong.of(decision.atMillis()))
                .orElse(OptionalLong.empty());
    }

    private Optional<LoggedDecision> lastUpTo(long version) {
        AtomicReference<@Nullable LoggedDecision> found = new AtomicReference<>();
        rows.newestFirst(segment -> {
            if (segment.firstVersion() <= version) {
                found.set(lastUpTo(segment, version));
            }
            return segment.firstVersion() > version;
        });
        return Optional.ofNullable(found.get());
    }

    private static @Nullable LoggedDecision lastUpTo(RowRing.Segment segment, long asked) {
        ByteReader in = segment.reader();
        long version = segment.firstVersion();
        long millis = segment.firstMillis();
        LoggedDecision last = null;
        while (in.hasRemaining()) {
            version += in.readVarint();
            millis = Math.max(millis, millis + in.readSigned());
            LoggedDecision decision = new LoggedDecision(
                    version,
                    millis,
                    version - in.readSigned(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    segment.name(in.readInt()));
            if (version > asked) {
                return last;
            }
            last = decision;
        }
        return last;
    }
}
