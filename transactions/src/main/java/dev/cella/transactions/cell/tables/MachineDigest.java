package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Drain;
import org.jspecify.annotations.Nullable;

/** The weight of a machine's row in the digest of its table: its columns, and the whole. */
final class MachineDigest {
    /** The columns of the digest. */
    private static final int NAME = 1;

    private static final int REGISTERED = 2;
    private static final int ATTRIBUTES = 3;
    private static final int AGENT = 4;
    private static final int MARKS = 5;
    static final int CLAIMED = 6;
    static final int CLAIMED_BY_OTHERS = 7;
    static final int CHANGED = 8;
    private static final int DRAIN = 9;
    static final int MEMBERS = 10;
    private static final int CAPACITY = 16;
    private static final int WANTED = CAPACITY + 32;
    static final int FREE = WANTED + 32;

    /** The weight of the row in the digest; 0 for an empty slot. */
    static long weight(MachineRows machines, int slot) {
        if (machines.registeredVersion(slot) == 0) {
            return 0;
        }
        MachineSaid says = machines.said(slot);
        long weight = TableDigest.weight(NAME, says.nameDigest())
                + TableDigest.weight(ATTRIBUTES, says.attributesDigest())
                + TableDigest.weight(AGENT, says.agentDigest())
                + TableDigest.weight(REGISTERED, machines.registeredVersion(slot))
                + TableDigest.weight(MARKS, machines.marks(slot))
                + TableDigest.weight(CLAIMED, machines.claimedVersion(slot))
                + TableDigest.weight(CLAIMED_BY_OTHERS, machines.claimedByOthersVersion(slot))
                + TableDigest.weight(CHANGED, machines.changedVersion(slot))
                + TableDigest.weight(DRAIN, digestOf(machines.drain(slot)))
                + TableDigest.weight(MEMBERS, digestOf(machines.members(slot)));
        for (int dimension = 0; dimension < machines.amounts.width(); dimension++) {
            weight += TableDigest.weight(FREE + dimension, machines.free(slot, dimension))
                    + TableDigest.weight(CAPACITY + dimension, machines.capacity(slot, dimension))
                    + TableDigest.weight(WANTED + dimension, machines.capacityWanted(slot, dimension));
        }
        return weight;
    }

    private static long digestOf(@Nullable Drain drain) {
        return drain == null
                ? 0
                : Digests.mix(drain.deadline().millis(), drain.batch() == Drain.BatchTasks.MOVE ? 1 : 2);
    }

    static long digestOf(MachineMembers has) {
        return has.equals(MachineMembers.NONE)
                ? 0
                : Digests.mix(
                        Digests.mix(has.capacity().digest(), has.wanted().digest()),
                        has.free().digest());
    }

    private MachineDigest() {}
}
