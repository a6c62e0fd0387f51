/**
 * The implementation of each call, one class per service. Start at {@link dev.cella.state.web.service.JobService}.
 *
 * <p>A handler reads the cell, or submits a command and reports its result. It turns names into identities and identities into
 * names: nothing below knows a name that could mean another thing tomorrow. It may use {@code core}, {@code web.rows} and the row
 * of the table in {@code web.http}.
 *
 * <h2>The table and what all services share</h2>
 *
 * <pre>
 * Services            the table of all unary calls
 * Commands            submits commands, and turns refusals into problems
 * Reads               reads the cell as fresh as a request asks
 * Freshness           how fresh that is
 * RequestWaits        ends the waits of a request whose client leaves
 * Shown               a value with the version that it shows
 * Requests            the parts that requests of several services share
 * Spans               versions or times from and to
 * Absence             answers "not found" only if the leader leads
 * Listing             the rows of a list at one version
 * KeptPages           keeps the rest of lists after their first page
 * </pre>
 *
 * <h2>Jobs and tasks</h2>
 *
 * <pre>
 * JobService          the calls about jobs
 * JobHeaders          converts a job to the form of the cell
 * JobDiff             the changes that submitting a job would make
 * SpecificationRoom   refuses jobs for whose specifications servers have no memory
 * LabelSelector       selects jobs by their labels
 * ExplainService      explains why tasks are pending
 * GroupQueues         the queues of machines in which tasks wait
 * FailedAttempts      why the last attempts failed
 * MissingOnMachines   says how to get what no machine offers
 * PolicyBounds        limits that keep tasks from ever being placed
 * AbsentInputs        inputs of a job that name no machine and no rack of the cell
 * TaskService         the calls about tasks
 * TaskName            the name of a task for people
 * ReportedReason      the reason that a report gives
 * </pre>
 *
 * <h2>Machines</h2>
 *
 * <pre>
 * MachineService      the calls about machines
 * AgentService        the calls of node agents, in identities
 * QueuedStarts        starts what waits in the queues of an agent's machines
 * HandAttributes      attributes that an operator set
 * NewDimensions       finds the new dimensions of a machine
 * KnownDimensions     makes them known to the cell first
 * UsageFacts          what attempts take of their machines
 * UsageSum            what a number of attempts take together
 * WaitFacts           how long tasks would wait in the machines' queues
 * Disagreements       placed attempts that their agent found no room for
 * RestoreMark         the mark of a machine that waits for its agent since a restore
 * RestoreTurns        one registration or drain of such a machine at a time
 * </pre>
 *
 * <h2>Schedulers and transactions</h2>
 *
 * <pre>
 * SchedulerService    the sessions of schedulers
 * SchedulerReports    the last report of each instance
 * SchedulerFigures    those reports, summed up by scheduler
 * SchedulerRows       the instances in the wire contract
 * FederationService   the cells that schedulers plan on together
 * RightsService       the rights of schedulers
 * TransactionService  transactions with names
 * NamedTransaction    converts names into identities
 * NamedOutcome        converts identities into names
 * OfferService        the calls about offers
 * PoolService         the calls about pools
 * </pre>
 *
 * <h2>The cell and its past</h2>
 *
 * <pre>
 * CellService         the cell as a whole
 * MemberService       the list of replicas, and changes of it
 * MemberDoors         asks other replicas who they are
 * LevelService        shows and raises the feature level
 * FeatureLevels       checks that every replica knows a level
 * TokenService        makes, lists and revokes tokens
 * ConflictService     the calls about conflicts
 * HistoryService      timelines and series
 * WhatIfService       the call that replays a window of the past with another setting
 * WhatIfReport        its answer: what happened, and both replays
 * </pre>
 */
@NullMarked
package dev.cella.state.web.service;

import org.jspecify.annotations.NullMarked;
