/**
 * The cell state and its replicas: tables of machines, jobs and tasks, the conflict rule that decides a transaction
 * against them, and the view that planners read.
 *
 * <p>Start reading at {@link dev.cella.transactions.cell.Cell}, then {@code CommitRule}, {@link
 * dev.cella.transactions.cell.CellReplica} and {@link dev.cella.transactions.cell.CellView}. The package may use {@code
 * model} and {@code codec}. This is the map of its classes, by room.
 *
 * <h2>Copies: the whole cell, and who reads it</h2>
 *
 * <pre>
 * Cell             the common copy: applies the log, command by command
 * CellReplica      a private copy: follows the stream of changes
 * CellView         the read side of either copy
 * TouchedRows      receives the rows that a version touched
 * ChangedRows      finds those rows in a frame of changes
 * CellLimits       the bounds that every replica must share
 * CellDigests      one digest per table
 * Truths           checks the invariants of SEMANTICS section 5 over a whole copy
 * </pre>
 *
 * <h2>Commands: one class per subject, each called by Cell</h2>
 *
 * <pre>
 * Answers          makes the results of commands
 * MachineCommands  register, resize, drain, lose and remove machines
 * JobCommands      submit, update, scale, stop and forget jobs
 * SessionCommands  open, renew and close sessions
 * PolicyCommands   pools, limits and rights
 * TokenCommands    tokens
 * TaskReports      what an agent reports of a task
 * TaskEnds         ends that the cell itself decides: stopped, killed, lost
 * FollowUps        finds work that one command left unfinished
 * ReadAhead        touches rows early, so that memory answers in parallel
 * Commit           commits a transaction: seen before, decide, apply, remember
 * </pre>
 *
 * <h2>The rule: decides a transaction, writes nothing</h2>
 *
 * <pre>
 * CommitRule       the order of the rules below
 * WholeRule        what refuses a transaction whole
 * EvictionRule     evictions, alone or for a claim
 * ClaimRule        claims: task, machine, policy, conflict rule, fit
 * PlainClaims      the fast path for claims that surely pass
 * HoldRule         requests for holds
 * StepRule         steps on tasks, and scales
 * ScaleRule        the legal sizes of a group
 * QuotaRule        quota of pools, rights of schedulers
 * AtomicityRule    all or nothing, and gangs
 * Decision         the results so far
 * Draft            the cell as the transaction has made it so far; also a planner's preview
 * Settlement       the amounts that a claim takes, by their source
 * EvictionsByClaim the evictions of a transaction by the claim they are for
 * ClaimedTasks     the tasks that the transaction has named
 * TouchedSlots     the machines that a draft has touched
 * Winners          who committed first; decides whether a refusal is a conflict
 * Refusals         makes the refusals
 * TaskFacts        what follows from a task's row and its job, group and machine
 * </pre>
 *
 * <h2>Tables: the rows, and the only way to change them</h2>
 *
 * <pre>
 * Tables           all tables of one copy; every change passes through it
 * JobChanges       what a change of a job writes
 * TaskChanges      what a change of a task writes
 * HoldChanges      what a change of a hold writes
 * MachineTable     machines: writes
 * MachineRows      machines: reads
 * MachineAmounts   free amounts and capacity of each machine
 * MachineMembers   members of a machine in dimensions that are sets
 * MachineSaid      name, attributes and agent of a machine
 * MachineRow       one machine, as a value
 * MachineDigest    the weight of a machine's row in the digest
 * JobTable         jobs by identity, by name, and by scheduler where tasks are pending
 * JobRow           one job
 * GroupRow         one group of a job, and which of its tasks are pending
 * ChangedJobs      the jobs that the current command changed
 * TaskTable        placed tasks: writes
 * TaskRows         placed tasks: reads
 * TaskRow          one task, as a value
 * TaskCounts       the number of tasks in each state
 * HandOvers        the amounts that a victim handed to its claim
 * HoldTable        holds by machine, oldest first
 * HoldRow          one hold
 * PolicyTable      pools and rights
 * PoolRow          one pool: limits and use
 * SessionTable     open sessions
 * TokenTable       tokens, by name and by the hash of their secret
 * SessionRow       one open session
 * JobShare         divides a scheduler's jobs among its sessions
 * OutcomeTable     the newest outcomes by transaction id
 * OutcomeTimes     their cell times
 * </pre>
 *
 * <h2>Pages and snapshots: what copies share, and their bytes</h2>
 *
 * <pre>
 * WordPages        rows of numbers in pages that copies share
 * RefPages         rows of references in pages that copies share
 * SharedValues     immutable values that many rows refer to by number
 * JobPages         jobs as bytes, in pages
 * TableDigest      the digest of one table, kept up to date
 * CellCopy         the whole cell at one version, readable by any thread
 * SnapshotWriter   a copy as bytes
 * SnapshotReader   fills empty tables from these bytes
 * TableLoader      writes the loaded rows into the tables
 * LoadedTask       one task's row as a snapshot has it
 * </pre>
 */
@NullMarked
package dev.cella.transactions.cell;

import org.jspecify.annotations.NullMarked;
