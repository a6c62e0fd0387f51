package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;

/**
 * A machine's members in the dimensions that are sets: those it has, those it is to have, and those that are free. A machine
 * that loses held members keeps them until they are released. Until then nobody gets any members of that dimension.
 */
public record MachineMembers(Members capacity, Members wanted, Members free) {
    static final MachineMembers NONE = new MachineMembers(Members.NONE, Members.NONE, Members.NONE);

    static MachineMembers of(Members all) {
        return all.isNone() ? NONE : new MachineMembers(all, all, all);
    }

    public Members held() {
        return capacity.minus(free);
    }

    /** Sets another capacity. Held members stay held. */
    MachineMembers renewed(Members next) {
        Members held = held();
        return held.isNone() ? of(next) : new MachineMembers(next.plus(held), next, next.minus(held));
    }

    MachineMembers taken(Members members) {
        return new MachineMembers(capacity, wanted, free.minus(members));
    }

    /** Frees members, or drops those that the machine is to lose. */
    MachineMembers released(Members members) {
        Members gone = members.minus(wanted);
        return new MachineMembers(capacity.minus(gone), wanted, free.plus(members.minus(gone)));
    }

    /** The members that a claim may get: none in a dimension that is shrinking. */
    Members open() {
        if (capacity.equals(wanted)) {
            return free;
        }
        Members open = free;
        for (int place = 0; place < capacity.size(); place++) {
            open = isShrinking(place) ? open.minus(Members.NONE.with(place, free.at(place))) : open;
        }
        return open;
    }

    /** The open members as amounts, combined with the free counts of the other dimensions. */
    Amounts open(long[] counted, Dimensions dimensions) {
        Members open = open();
        long[] values = counted.clone();
        for (int place = 0; place < values.length; place++) {
            values[place] = dimensions.isSet(place) ? open.at(place).size() : values[place];
        }
        return Amounts.of(values).naming(open);
    }

    /**
     * The first set dimension in which the asked members are neither free nor offered by tasks that would end, or -1.
     */
    public int firstLacking(Amounts asked, Members offered, Dimensions dimensions) {
        Members available = open().plus(offered);
        for (int place = 0; place < asked.size(); place++) {
            MemberSet set = available.at(place);
            boolean lacks = asked.at(place) > set.size()
                    || !set.contains(asked.members().at(place));
            if (asked.at(place) > 0 && dimensions.isSet(place) && (lacks || isShrinking(place))) {
                return place;
            }
        }
        return -1;
    }

    private boolean isShrinking(int place) {
        return !capacity.at(place).equals(wanted.at(place));
    }
}
