package dev.cella.transactions.codec;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Verdict;

/**
 * A closed choice as one byte: its place in the enum, from 0. These enums may only grow at the end; the golden files enforce
 * that.
 */
final class EnumCodec<E extends Enum<E>> {
    static final EnumCodec<Atomicity> ATOMICITY = new EnumCodec<>(Atomicity.class);
    static final EnumCodec<ClaimKind> CLAIM_KIND = new EnumCodec<>(ClaimKind.class);
    static final EnumCodec<ConflictRule> CONFLICT_RULE = new EnumCodec<>(ConflictRule.class);
    static final EnumCodec<Dimension.Kind> DIMENSION_KIND = new EnumCodec<>(Dimension.Kind.class);
    static final EnumCodec<Drain.BatchTasks> BATCH_TASKS = new EnumCodec<>(Drain.BatchTasks.class);
    static final EnumCodec<Gang.Restarts> GANG_RESTARTS = new EnumCodec<>(Gang.Restarts.class);
    static final EnumCodec<ItemKind> ITEM_KIND = new EnumCodec<>(ItemKind.class);
    static final EnumCodec<JobState> JOB_STATE = new EnumCodec<>(JobState.class);
    static final EnumCodec<JobType> JOB_TYPE = new EnumCodec<>(JobType.class);
    static final EnumCodec<Command.MachineChange> MACHINE_CHANGE = new EnumCodec<>(Command.MachineChange.class);
    static final EnumCodec<MachineRule.Operator> MACHINE_OPERATOR = new EnumCodec<>(MachineRule.Operator.class);
    static final EnumCodec<PoolPolicy.Order> POOL_ORDER = new EnumCodec<>(PoolPolicy.Order.class);
    static final EnumCodec<Rights.Evicts> EVICTS = new EnumCodec<>(Rights.Evicts.class);
    static final EnumCodec<Reason> REASON = new EnumCodec<>(Reason.class);
    static final EnumCodec<Step.Kind> STEP_KIND = new EnumCodec<>(Step.Kind.class);
    static final EnumCodec<Command.SubmitMode> SUBMIT_MODE = new EnumCodec<>(Command.SubmitMode.class);
    static final EnumCodec<TaskReason> TASK_REASON = new EnumCodec<>(TaskReason.class);
    static final EnumCodec<TaskState> TASK_STATE = new EnumCodec<>(TaskState.class);
    static final EnumCodec<Verdict> VERDICT = new EnumCodec<>(Verdict.class);

    private final E[] values;

    private EnumCodec(Class<E> type) {
        values = type.getEnumConstants();
    }

    void write(ByteWriter out, E value) {
        out.writeByte(code(value));
    }

    /** Uses the ordinal on purpose: a lookup in a map took a tenth of the time to apply a claim. */
    @SuppressWarnings("EnumOrdinal")
    int code(E value) {
        return value.ordinal();
    }

    E read(ByteReader in) {
        return of(in, in.readByte());
    }

    /** The choice for a code that was read from {@code in}. */
    E of(ByteReader in, int code) {
        if (code >= values.length) {
            throw in.damaged("unknown " + values[0].getDeclaringClass().getSimpleName() + " " + code);
        }
        return values[code];
    }
}
