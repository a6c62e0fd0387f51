/**
 * From a command to its outcome: batcher, log, apply, store, feed. Start reading at {@link
 * dev.cella.state.core.Replica#submit}, where a command comes in, then {@code Batcher}, {@code Applier}, {@code Feed} and
 * {@code Persister}. What a replica needs from outside is an interface or an argument: {@link
 * dev.cella.state.core.ReplicatedLog}, {@link dev.cella.state.core.CellStore}, {@link dev.cella.state.core.Time}, {@link
 * dev.cella.state.core.Threads}; so the same classes run under a simulated log, in one thread and in manual time.
 *
 * <p>This package uses {@code transactions} and no library. It declares the log and the store as interfaces. The
 * packages {@code ratis} and {@code rocksdb} implement them. The classes are listed below, by room.
 *
 * <h2>A replica and its process</h2>
 *
 * <pre>
 * Replica                     one replica, as its doors see it
 * ReplicaLimits               the bounds within which it works
 * ReplicaStats                its counters
 * StartTimes                  where the time of a start goes
 * Threads                     its threads
 * Time                        its clocks
 * Departure                   how it leaves the process when it cannot go on
 * ListenAddress               where a part listens, looked at before the part starts
 * StartRefusedException       it cannot start, and a person can do something about it
 * </pre>
 *
 * <h2>Commands on their way into the log</h2>
 *
 * <pre>
 * Batcher                     packs waiting commands into entries
 * Lane                        the order of admission
 * LaneQueue                   the waiting commands of one lane, in turns by owner
 * EntryPace                   keeps small entries apart while many commands come
 * Proposals                   what the leader itself asks of the cell
 * FollowUpProposer            proposes the rest of large commands, and what is due
 * Leases                      the last renewals by agents and sessions
 * LeaseDeadlines              which holders of leases are late, by a heap
 * LeaderClock                 stamps entries with cell time
 * SubmitException             a command was not answered, and why
 * </pre>
 *
 * <h2>The log</h2>
 *
 * <pre>
 * ReplicatedLog               the log, as an interface
 * LogListener                 what a replica does with committed entries
 * LogPosition                 the place of an entry
 * LogSyncs                    the time to flush the log to disk
 * Membership                  the replicas of the cell
 * LogPeer                     a member of the log, as the log keeps it
 * PeerStanding                how a member stands, as the leader sees it
 * Founding                    when an empty replica may begin
 * DamagedLogException         the log on disk is damaged, and where
 * </pre>
 *
 * <h2>Apply and feed</h2>
 *
 * <pre>
 * Applier                     applies entries to the common copy
 * AppliedEntry                the outcome of an entry
 * EntryOutcomes               the whole outcomes of an entry, as bytes
 * CommonCell                  the common copy and its lock
 * Waiters                     callers that wait until the cell shows something
 * Feed                        the stream of changes, kept for a while
 * FeedFrame                   one piece of the feed
 * FeedReader                  one reader's place in the feed
 * FeedRequest                 where a reader begins
 * </pre>
 *
 * <h2>Disk</h2>
 *
 * <pre>
 * Persister                   makes checkpoints behind the apply
 * CellStore                   the store, as an interface
 * Checkpoint                  a checkpoint, as a store has read it
 * CheckpointHead              position, version and digest of a checkpoint
 * SealedCell                  the content of a checkpoint before it is written
 * HotPages                    the hot tables at one place in the log
 * CellSnapshot                the hot tables, in chunks for a reader
 * ColdChanges                 cold rows that changed since a checkpoint
 * ColdKey                     the key of a cold row
 * CellBackup                  the content of a backup
 * BackupWriter                writes a backup
 * BackupReader                reads and checks a backup
 * Restoration                 makes a backup the first checkpoint of a new directory
 * DamagedBackupException      a backup is damaged, and where
 * DataDirectory               the directory of one replica, under a lock
 * DirectoryIdentity           the owner of a data directory
 * DurableFiles                writes files that survive a power loss whole
 * OwnersOnly                  files that other users cannot read
 * DamagedCheckpointException  a checkpoint does not match its head
 * StoreUnavailableException   a cold row cannot be read now
 * </pre>
 */
@NullMarked
package dev.cella.state.core;

import org.jspecify.annotations.NullMarked;
