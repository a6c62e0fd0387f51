package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Reason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies commands to machines: register, resize, drain, lose, remove. */
public final class MachineCommands {
    private final Tables tables;
    private final TaskEnds ends;
    private final Answers answers;
    private final int rowsMax;

    public MachineCommands(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.ends = new TaskEnds(tables);
        this.answers = new Answers(tables);
        this.rowsMax = limits.rowsMax();
    }

    public CommandResult addDimension(Command.AddDimension command) {
        Dimension dimension = command.dimension();
        int place = tables.dimensions().find(dimension.name());
        if (place >= 0) {
            return tables.dimensions().at(place).equals(dimension)
                    ? answers.unchanged(0)
                    : answers.refused(Reason.BAD_COMMAND, dimension.name() + " is of another kind");
        }
        if (dimension.kind() == Dimension.Kind.SET && tables.featureLevel() < EntryCodec.SETS_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED,
                    "dimensions of kind SET need feature level " + EntryCodec.SETS_LEVEL + ", the cell is at "
                            + tables.featureLevel());
        }
        if (tables.dimensions().size() == Dimensions.SIZE_MAX) {
            return answers.refused(Reason.BAD_COMMAND, "the cell has as many dimensions as it may");
        }
        tables.dimensionAdded(dimension);
        return answers.changed(0);
    }

    public CommandResult put(Command.PutMachine put) {
        if (put.capacity().size() > tables.dimensions().size()) {
            return answers.refused(Reason.BAD_COMMAND, "the machine has a dimension that the cell does not know");
        }
        int named = tables.dimensions().firstNamedInVain(put.capacity());
        if (named >= 0) {
            return answers.refused(
                    Reason.BAD_COMMAND, tables.dimensions().nameAt(named) + " is no set: it has no members");
        }
        int unnamed = tables.dimensions().firstUnnamed(put.capacity());
        if (unnamed >= 0) {
            return answers.refused(
                    Reason.BAD_COMMAND, tables.dimensions().nameAt(unnamed) + " is a set: say which members there are");
        }
        int slot = tables.machines.find(put.name());
        AgentIdentity agent = put.agent().orElse(null);
        if (slot < 0) {
            register(tables.machines.nextSlot(), put, agent);
            return answers.created(0);
        }
        return isAnotherIncarnation(slot, agent) ? registerAgain(slot, put, agent) : renew(slot, put, agent);
    }

    private boolean isAnotherIncarnation(int slot, @Nullable AgentIdentity agent) {
        AgentIdentity before = tables.machines.agent(slot);
        return agent != null && (before == null || !before.bootId().equals(agent.bootId()));
    }

    private CommandResult registerAgain(int slot, Command.PutMachine put, @Nullable AgentIdentity agent) {
        if (!ends.loseTasksOn(slot, rowsMax)) {
            tables.machineMarked(slot, tables.machines.isDraining(slot), true);
            return answers.refused(Reason.MACHINE_NOT_READY, put.name() + " is still losing what ran before");
        }
        register(slot, put, agent);
        return answers.created(0);
    }

    private void register(int slot, Command.PutMachine put, @Nullable AgentIdentity agent) {
        tables.machineRegistered(slot, put.name(), put.capacity(), put.attributes(), agent);
    }

    private CommandResult renew(int slot, Command.PutMachine put, @Nullable AgentIdentity agent) {
        long id = tables.machines.registeredVersion(slot);
        AgentIdentity keeps = agent == null ? tables.machines.agent(slot) : agent;
        int lacking = firstBelowHeld(slot, put.capacity());
        if (lacking >= 0 && agent == null && !put.force()) {
            return refuseShrinking(slot, put, lacking);
        }
        boolean returns = agent != null && tables.machines.isDown(slot);
        if (!returns && isSame(slot, put, keeps)) {
            return answers.unchanged(id);
        }
        tables.machineRenewed(slot, put.capacity(), put.attributes(), keeps);
        if (returns) {
            tables.machineMarked(slot, tables.machines.isDraining(slot), false);
        }
        return answers.changed(id);
    }

    private int firstBelowHeld(int slot, Amounts capacity) {
        Members held = tables.machines.members(slot).held();
        for (int dimension = 0; dimension < tables.dimensions().size(); dimension++) {
            if (capacity.at(dimension) < tables.machines.held(slot, dimension)
                    || !capacity.members().at(dimension).contains(held.at(dimension))) {
                return dimension;
            }
        }
        return -1;
    }

    private CommandResult refuseShrinking(int slot, Command.PutMachine put, int dimension) {
        String what = tables.dimensions().nameAt(dimension);
        if (tables.dimensions().isSet(dimension)) {
            return answers.refused(
                    Reason.STILL_HELD,
                    put.name() + " would have the " + what + " "
                            + put.capacity().members().at(dimension) + ", and "
                            + tables.machines.members(slot).held().at(dimension) + " are held");
        }
        return answers.refused(
                Reason.STILL_HELD,
                put.name() + " would have " + put.capacity().at(dimension) + " " + what + ", and "
                        + tables.machines.held(slot, dimension) + " are held");
    }

    private boolean isSame(int slot, Command.PutMachine put, @Nullable AgentIdentity agent) {
        for (int dimension = 0; dimension < tables.dimensions().size(); dimension++) {
            if (tables.machines.capacityWanted(slot, dimension)
                    != put.capacity().at(dimension)) {
                return false;
            }
        }
        return tables.machines.members(slot).wanted().equals(put.capacity().members())
                && tables.machines.attributes(slot).equals(put.attributes())
                && Objects.equals(tables.machines.agent(slot), agent);
    }

    public CommandResult change(Command.ChangeMachine command) {
        int slot = tables.machines.findById(command.machine().version());
        if (slot < 0) {
            return refuseUnknown(command.machine());
        }
        return switch (command.change()) {
            case DRAIN -> drain(slot);
            case READY -> ready(slot);
            case REMOVE -> remove(slot, command.force());
        };
    }

    private CommandResult drain(int slot) {
        long id = tables.machines.registeredVersion(slot);
        if (tables.machines.isDraining(slot) && tables.machines.drain(slot) == null) {
            return answers.unchanged(id);
        }
        tables.machineDrained(slot, null);
        return answers.changed(id);
    }

    public CommandResult drain(Command.DrainMachine command) {
        int slot = tables.machines.findById(command.machine().version());
        if (slot < 0) {
            return refuseUnknown(command.machine());
        }
        CellTime deadline = new CellTime(tables.cellTimeMillis()).plusMillis(command.deadlineAfterMillis());
        tables.machineDrained(slot, new Drain(deadline, command.batch()));
        return answers.changed(command.machine().version());
    }

    public CommandResult continueDrain(MachineId machine) {
        int slot = tables.machines.findById(machine.version());
        boolean some = slot >= 0 && ends.drainTasksOn(slot, new CellTime(tables.cellTimeMillis()), rowsMax);
        return some ? answers.changed(machine.version()) : answers.unchanged(machine.version());
    }

    private CommandResult ready(int slot) {
        long id = tables.machines.registeredVersion(slot);
        if (tables.machines.isReady(slot)) {
            return answers.unchanged(id);
        }
        if (tables.machines.isDown(slot) && tables.machines.agent(slot) != null) {
            return answers.refused(Reason.MACHINE_NOT_READY, name(slot) + " is down: its agent makes it ready");
        }
        tables.machineMarked(slot, false, false);
        return answers.changed(id);
    }

    private CommandResult remove(int slot, boolean force) {
        int tasks = tables.machines.taskCount(slot);
        if (tasks > 0 && !force) {
            return answers.refused(Reason.STILL_HELD, name(slot) + " has " + tasks + " tasks");
        }
        long id = tables.machines.registeredVersion(slot);
        if (!ends.loseTasksOn(slot, rowsMax)) {
            tables.machineMarked(slot, tables.machines.isDraining(slot), true);
            return answers.refused(Reason.STILL_HELD, name(slot) + " is still losing its tasks: remove it again");
        }
        tables.machineRemoved(slot);
        return answers.changed(id);
    }

    public CommandResult lose(MachineId machine) {
        int slot = tables.machines.findById(machine.version());
        if (slot < 0) {
            return refuseUnknown(machine);
        }
        if (!tables.machines.isDown(slot)) {
            tables.machineMarked(slot, tables.machines.isDraining(slot), true);
        }
        ends.loseTasksOn(slot, rowsMax);
        return answers.changed(machine.version());
    }

    public CommandResult continueLoss(MachineId machine) {
        int slot = tables.machines.findById(machine.version());
        if (slot < 0 || !tables.machines.isDown(slot) || tables.machines.taskCount(slot) == 0) {
            return answers.unchanged(machine.version());
        }
        ends.loseTasksOn(slot, rowsMax);
        return answers.changed(machine.version());
    }

    private CommandResult refuseUnknown(MachineId machine) {
        return answers.refused(Reason.UNKNOWN_MACHINE, "there is no machine " + machine);
    }

    private String name(int slot) {
        return tables.machines.name(slot);
    }
}
