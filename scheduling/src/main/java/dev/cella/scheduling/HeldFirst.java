package dev.cella.scheduling;

/** Puts the machines on which the job holds something before all others, so that no hold stays unused. */
final class HeldFirst implements MachinePool {
    private final int[] held;
    private final OwnHolds holds;
    private final Drawing drawing;
    private final MachinePool others;
    private int place;

    HeldFirst(OwnHolds holds, Drawing drawing, MachinePool others) {
        this.held = holds.machines();
        this.holds = holds;
        this.drawing = drawing;
        this.others = others;
    }

    @Override
    public int next() {
        while (place < held.length) {
            int machine = held[place];
            if (!holds.on(machine).isNone() && drawing.takes().test(machine)) {
                return machine;
            }
            place++;
        }
        return others.next();
    }
}
