package dev.cella.agent;

import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;

/** A registration of a machine: its identity from then on, in one history of the cell. */
record Registered(Incarnation incarnation, MachineId machine) {}
