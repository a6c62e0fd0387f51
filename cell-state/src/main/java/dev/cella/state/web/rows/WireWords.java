package dev.cella.state.web.rows;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.GangRestart;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.OnLost;
import dev.cella.client.proto.TaskState;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.Members;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Converts values between the cell and the wire contract; a request without a value gives an empty one. The words are the
 * same, only the types differ.
 */
public final class WireWords {
    private WireWords() {}

    public static MachineStatus of(dev.cella.transactions.model.MachineStatus status) {
        return MachineStatus.valueOf("MACHINE_STATUS_" + status.name());
    }

    public static JobState of(dev.cella.transactions.model.JobState state) {
        return JobState.valueOf("JOB_STATE_" + state.name());
    }

    static JobType of(dev.cella.transactions.model.JobType type) {
        return JobType.valueOf("JOB_TYPE_" + type.name());
    }

    public static TaskState of(dev.cella.transactions.model.TaskState state) {
        return TaskState.valueOf("TASK_STATE_" + state.name());
    }

    public static dev.cella.transactions.model.JobType of(JobType type) {
        return dev.cella.transactions.model.JobType.valueOf(bare(type, "JOB_TYPE_"));
    }

    public static Optional<dev.cella.transactions.model.Atomicity> of(Atomicity atomicity) {
        return atomicity.getNumber() == 0
                ? Optional.empty()
                : Optional.of(dev.cella.transactions.model.Atomicity.valueOf(bare(atomicity, "ATOMICITY_")));
    }

    public static Optional<dev.cella.transactions.model.ConflictRule> of(ConflictRule rule) {
        return rule.getNumber() == 0
                ? Optional.empty()
                : Optional.of(dev.cella.transactions.model.ConflictRule.valueOf(bare(rule, "CONFLICT_RULE_")));
    }

    public static Optional<dev.cella.transactions.model.TaskState> of(TaskState state) {
        return state.getNumber() == 0
                ? Optional.empty()
                : Optional.of(dev.cella.transactions.model.TaskState.valueOf(bare(state, "TASK_STATE_")));
    }

    public static Optional<dev.cella.transactions.model.OnLost> of(OnLost onLost) {
        return onLost.getNumber() == 0
                ? Optional.empty()
                : Optional.of(dev.cella.transactions.model.OnLost.valueOf(bare(onLost, "ON_LOST_")));
    }

    public static Optional<Gang.Restarts> of(GangRestart restart) {
        return restart.getNumber() == 0
                ? Optional.empty()
                : Optional.of(Gang.Restarts.valueOf(bare(restart, "GANG_RESTART_")));
    }

    private static String bare(Enum<?> value, String prefix) {
        return value.name().substring(prefix.length());
    }

    static Timestamp time(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, 1000))
                .setNanos(Math.floorMod(millis, 1000) * 1_000_000)
                .build();
    }

    /** Members by the names of the set dimensions. */
    static Map<String, String> members(Dimensions dimensions, Members members) {
        Map<String, String> named = new TreeMap<>();
        for (int place = 0; place < members.size(); place++) {
            if (!members.at(place).isNone()) {
                named.put(dimensions.nameAt(place), members.at(place).toString());
            }
        }
        return named;
    }

    /**
     * Amounts by the names of their dimensions: those that every task and machine has, and the others that are not zero.
     */
    static Map<String, Long> amounts(Dimensions dimensions, Amounts amounts, Amounts shownIf) {
        Map<String, Long> named = new TreeMap<>();
        for (int place = 0; place < dimensions.size(); place++) {
            if (place <= Dimensions.MEMORY_MIB || shownIf.at(place) > 0) {
                named.put(dimensions.nameAt(place), amounts.at(place));
            }
        }
        return named;
    }

    /** The time until then by the cell's clock; empty once it has passed. */
    static Duration until(CellTime time, CellTime now) {
        return Durations.fromMillis(Math.max(0, time.millis() - now.millis()));
    }
}
