/**
 * What a scheduler is: the plug-in interface, the view it plans on, and the tools to place tasks. The public classes of the
 * first two rooms are the stable surface that a scheduler's jar is built against.
 *
 * <p>Start reading at {@link dev.cella.scheduling.JobPlanner}, the easy door, or {@link
 * dev.cella.scheduling.Scheduler}, the whole one; both plan on a {@link dev.cella.scheduling.PlanningView}. What drives
 * them is in {@code loop}, what joins that to a cell in {@code live}.
 *
 * <p>It may use {@code transactions}. Its classes read no clock, start no thread and do no I/O. They are listed below, by
 * room.
 *
 * <h2>The interface: what an author implements, and what a plan is given and answers</h2>
 *
 * <pre>
 * Scheduler         decides: memory, agenda, plan
 * JobPlanner        the easy door: one job at a time, no memory
 * SchedulerProvider how a jar offers a type of scheduler
 * SchedulerOption   one thing that can be set of a type
 * SchedulerOptions  the options of a type as they are set
 * SchedulerApi      the version of this surface
 * Agenda            chooses the next work
 * QueueOrder        the built-in orders: priority, first come first served, ageing
 * Standing          everything that waits for its turn, read lazily
 * Waiting           a job that waits
 * PoolStanding      a pool in which jobs wait: use, limit, demand
 * JobKey            a job and the place of its cell
 * Work              the jobs of one plan, and what happened to them
 * JobWork           a job whose turn it is
 * Result            the outcome of a transaction that a turn asked for
 * Signal            something that happened since the last plan
 * Happening         what can happen to a job and is worth a turn
 * Wake              what a plan waits for before the next turn
 * PlanContext       time, seed, memory and observations of a plan
 * Observations      what was observed beside the cell state
 * Observed          one observed value and its age
 * Measure           what is observed
 * LongPlans         how long a plan may take, and how many may be under way
 * Rounds            how often a scheduler gets a turn without a job
 * Plan              what a scheduler decided
 * Proposal          a transaction that a plan wants committed
 * Revert            a job that is to become again what it was
 * Note              how a job stands, in words
 * PlanningView      a cell as one plan sees it; every kind of item is drafted here
 * PendingGroup      the tasks of a group to place, and claims for them
 * PlacedGroup       the tasks of a group on machines, and which of them would be better elsewhere
 * Unplaced          why tasks were left
 * Exclusion         a planner's own reason to keep a task off a machine
 * </pre>
 *
 * <h2>Placing: a toolkit for planners; the placement language is in {@code placement}</h2>
 *
 * <pre>
 * TaskByTask        places tasks one after another, as a choice says
 * Choice            how to choose among machines that a job does not tell apart
 * Score             how good a machine is for a task
 * BestFit           the fuller the better
 * WorstFit          the emptier the better
 * Candidates        the machines for one group's tasks, one after another
 * RoomLeft          whether some machine still has room for a shape
 * MachinePool       machines that are handed out one after another
 * Drawing           the values that all pools of one group share
 * RoomSearch        a search of all machines for room alone, without those that are known to be full
 * DrawnMachines     machines in an order drawn from a seed
 * Walk              visits each of some places once, in a random order
 * RankedMachines    machines by a score
 * WishedMachines    machines in a group's order of preference
 * HeldFirst         the machines that the job holds come first
 * TogetherChoice    the value for a group with together
 * Preemption        claims with evictions, for tasks that find no room
 * Preempting        a planner that preempts for what another one leaves
 * Whereabouts       how many tasks of a group are on each value of an attribute
 * Worth             the worth of a class of machines by a group's wishes
 * </pre>
 *
 * <h2>For hosts, which drive a scheduler; what they give a plan is in {@code host}</h2>
 *
 * <pre>
 * Planning          one plan, from the scheduler's call to its transactions
 * </pre>
 *
 * <h2>Inside</h2>
 *
 * <pre>
 * JobByJob          a JobPlanner as a scheduler
 * Drafting          what one plan has drafted on one cell
 * DraftedItem       an item that is no claim
 * DraftedClaims     how many claims each group has in one plan, and how many are in no proposal
 * OwnHolds          what a job holds and its plan has not claimed
 * OverQuota         a pool that has not enough left
 * GangHolds         holds for gangs that found no room
 * Help              small changes that let one more task be placed
 * NearestMachines   the few machines that come nearest to holding a task
 * Explanation       counts machines by what keeps a task off each
 * </pre>
 */
@NullMarked
package dev.cella.scheduling;

import org.jspecify.annotations.NullMarked;
