/**
 * The tables of one copy of the cell state: the rows, and the only way to change them.
 *
 * <p>Start reading at {@code Tables}. Planners and doors get rows and a {@link dev.cella.transactions.cell.tables.Draft} from a
 * {@code CellView}; the mutators of a row are private to this package. The tables themselves are public for {@code rule},
 * {@code commands} and {@code copies} only. The room may use {@code pages}. This is the map of its classes.
 *
 * <h2>All tables, and what a change writes beside its own row</h2>
 *
 * <pre>
 * Tables           all tables of one copy; every change passes through it
 * JobChanges       what a change of a job writes
 * TaskChanges      what a change of a task writes
 * HoldChanges      what a change of a hold writes
 * Settlement       the amounts that a claim takes, by their source
 * CellLimits       the bounds that every replica must share
 * </pre>
 *
 * <h2>Machines</h2>
 *
 * <pre>
 * MachineTable     machines: writes
 * MachineRows      machines: reads
 * MachineAmounts   free amounts and capacity of each machine
 * MachineTotals    the same over all machines
 * MachineMembers   members of a machine in dimensions that are sets
 * MachineSaid      name, attributes and agent of a machine
 * MachineRow       one machine, as a value
 * SlotsByName      the slots of machines in the order of their names
 * MachineDigest    the weight of a machine's row in the digest
 * </pre>
 *
 * <h2>Jobs and tasks</h2>
 *
 * <pre>
 * JobTable         jobs by identity, by name, by scheduler where tasks are pending, and by priority where they are on machines
 * JobRow           one job
 * GroupRow         one group of a job, and which of its tasks are pending
 * ChangedJobs      the jobs that the current command changed
 * JobPages         jobs as bytes, in pages
 * TaskTable        placed tasks: writes
 * TaskRows         placed tasks: reads
 * TaskRow          one task, as a value
 * TaskFacts        what follows from a task's row and its job, group and machine
 * TaskCounts       the number of tasks in each state
 * EndedTasks       the tasks that ended on each machine
 * HandOvers        the amounts that a victim handed to its claim
 * </pre>
 *
 * <h2>Holds, queues, policies, sessions, tokens, outcomes</h2>
 *
 * <pre>
 * HoldTable        holds by machine, oldest first
 * HoldRow          one hold
 * SpareTasks       the spare tasks of each machine
 * SpareOnMachine   the spare tasks of one machine as a decision has changed them, and who ends for a claim
 * QueueTable       the queues of the machines, and which tasks wait in them
 * QueueRow         one task in one queue
 * PolicyTable      pools and rights
 * PoolRow          one pool: limits and use
 * SessionTable     open sessions
 * SessionRow       one open session
 * JobShare         divides a scheduler's jobs among its sessions
 * TokenTable       tokens, by name and by the hash of their secret
 * OutcomeTable     the newest outcomes by transaction id
 * OutcomeTimes     their cell times
 * </pre>
 *
 * <h2>Drafts: the tables as a plan or a transaction would leave them</h2>
 *
 * <pre>
 * Draft            the cell as a plan or a transaction has made it so far
 * TouchedSlots     the machines that a draft has touched
 * </pre>
 *
 * <h2>Reading ahead, checking and loading</h2>
 *
 * <pre>
 * ReadAhead        touches rows early, so that memory answers in parallel
 * CellDigests      one digest per table
 * Truths           checks the invariants of SEMANTICS section 5 over all tables
 * SnapshotFormat   the versions of a snapshot's format, and its sections
 * TableLoader      writes the rows of a snapshot into the tables
 * LoadedTask       one task's row as a snapshot has it
 * </pre>
 */
@NullMarked
package dev.cella.transactions.cell.tables;

import org.jspecify.annotations.NullMarked;
