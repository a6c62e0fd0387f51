package dev.cella.scheduling;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * The machines for one group's tasks, one after another. Each meets the group's musts, and those that the group wishes for
 * most come first. Machines on which the group's tasks have failed repeatedly come last.
 *
 * <p>Belongs to one plan and its thread.
 */
public final class Candidates {
    /** No machine takes the next task. */
    public static final int NONE = MachinePool.EMPTY;

    private final Drawing drawing;
    private final BitSet avoided;
    private final IntConsumer offered;
    private final MachinePool preferred;
    private int[] passedOver = new int[0];
    private MachinePool rest = () -> NONE;

    /**
     * Candidates from one pool.
     *
     * @param avoided slots that come last
     * @param offered receives each machine that is handed out
     */
    Candidates(Drawing drawing, BitSet avoided, Function<Drawing, MachinePool> pool, IntConsumer offered) {
        this.drawing = drawing;
        this.avoided = avoided;
        this.offered = offered;
        this.preferred = pool.apply(avoided.isEmpty() ? drawing : drawing.taking(this::isPreferred));
    }

    private boolean isPreferred(int machine) {
        if (!drawing.takes().test(machine)) {
            return false;
        }
        if (avoided.get(machine)) {
            passOver(machine);
            return false;
        }
        return true;
    }

    private void passOver(int machine) {
        passedOver = Arrays.copyOf(passedOver, passedOver.length + 1);
        passedOver[passedOver.length - 1] = machine;
    }

    /** A machine that takes the group's next task, or {@link #NONE} if no machine does. */
    public int next() {
        int machine = preferred.next();
        machine = machine != NONE ? machine : nextOfRest();
        offered.accept(machine);
        return machine;
    }

    private int nextOfRest() {
        if (passedOver.length > 0) {
            rest = drawing.pool(passedOver);
            passedOver = new int[0];
        }
        return rest.next();
    }
}
