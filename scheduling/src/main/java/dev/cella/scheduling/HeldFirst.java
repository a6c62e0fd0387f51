package dev.cella.scheduling;

/** The machines on which the job holds something come before all others, so that no hold is left behind unused. */
final class HeldFirst implements MachinePool {
    private final int[] held;
    private final PlanningView cell;
    private final Drawing drawing;
    private final MachinePool others;
    private int place;

    HeldFirst(PlanningView cell, Drawing drawing, MachinePool others) {
        this.held = cell.machinesHeld();
        this.cell = cell;
        this.drawing = drawing;
        this.others = others;
    }

    @Override
    public int next() {
        while (place < held.length) {
            int machine = held[place];
            if (!cell.heldOn(machine).isNone() && drawing.takes().test(machine)) {
                return machine;
            }
            place++;
        }
        return others.next();
    }
}
