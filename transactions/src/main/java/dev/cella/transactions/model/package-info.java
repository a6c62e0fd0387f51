/**
 * The words as values: identities, amounts, job headers, commands, transactions and their results.
 *
 * <p>Everything here is immutable and checked when it is made, so that what reaches the tables is well formed. Start
 * reading at {@link dev.cella.transactions.model.Transaction}, then {@link dev.cella.transactions.model.Command} (what
 * else can be asked of a cell).
 *
 * <p>It may use the JDK alone, without I/O, clock, threads or randomness. This is the map of its classes.
 *
 * <h2>Identities</h2>
 *
 * <pre>
 * CellName           the name an operator gave the cell
 * Incarnation        the history that versions belong to
 * CellVersion        one state of the cell
 * CellTime           the log's own clock
 * JobId              one job
 * TaskId             one task of a group
 * PlacementId        one placement of a task
 * MachineId          one registration of a machine
 * SessionId          one session of a scheduler
 * OfferId            one offer
 * TransactionId      the name that a client gave a transaction
 * Principal          who asked for a command
 * Token              who may ask for what
 * Origin             the transaction that something came from
 * </pre>
 *
 * <h2>Amounts</h2>
 *
 * <pre>
 * Dimension          one resource dimension
 * Dimensions         the registry of a cell's dimensions
 * Amounts            an amount in each dimension
 * Members            members of the dimensions that are sets
 * MemberSet          members of one dimension, as runs
 * Limits             the most that may be held of each dimension
 * </pre>
 *
 * <h2>Jobs, tasks and machines</h2>
 *
 * <pre>
 * JobHeader          what decisions read of a job
 * JobType            batch or service
 * JobState           what a job is doing
 * GroupHeader        what decisions read of a group
 * Gang               tasks that start together
 * Restart            how often and how soon a failed task is tried again
 * OnLost             what follows when a task's machine is lost
 * Specification      the rest of a job, as bytes
 * Progress           what a scheduler remembers of a job, as bytes
 * Labels             the rules for names
 * TaskState          the life of one attempt
 * TaskReason         why an attempt stops or ended
 * MachineStatus      whether a machine takes claims
 * AgentIdentity      the agent that speaks for a machine
 * Drain              how a machine is emptied
 * Rights             what a scheduler may do
 * MachineRule        a condition on a machine's attributes, in rights
 * Participation      that a session takes part in offers
 * PoolPolicy         weight, minimum, limits and order of a pool
 * FairShares         the fair share of each pool
 * </pre>
 *
 * <h2>Transactions, commands and their outcomes</h2>
 *
 * <pre>
 * Transaction        the items of one scheduling attempt
 * TransactionDigest  tells two transactions apart
 * Atomicity          each claim alone, or all or nothing
 * ConflictRule       what counts as a conflict on a machine
 * Claim              a task on a machine
 * Claims             the claims of a transaction, kept flat
 * ClaimKind          whether a claim places, queues, starts or uses spare room
 * Eviction           ends a placed task
 * HoldRequest        reserves amounts for a job
 * Step               stops a task or tries it again
 * Scale              changes the size of a group
 * ItemKind           the kinds of items
 * ItemResult         the outcome of one item
 * Outcome            the outcome of a transaction
 * Verdict            the outcome of a transaction in one word
 * Reason             why something was refused
 * Command            everything that can be asked of a cell
 * CommandResult      the outcome of a command
 * Digests            64-bit digests of values
 * Invariants         the checks that are always on
 * </pre>
 */
@NullMarked
package dev.cella.transactions.model;

import org.jspecify.annotations.NullMarked;
