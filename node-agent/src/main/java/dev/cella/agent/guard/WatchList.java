package dev.cella.agent.guard;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a guard watches and until when: the lines that the agent says, and their meaning. Owned by the guard's one
 * thread.
 *
 * <table>
 * <caption>The lines</caption>
 * <tr><td>{@code watch MARK}</td><td>an attempt is about to be started; answered {@code watching MARK}</td></tr>
 * <tr><td>{@code led MARK PID START}</td><td>its first process is started</td></tr>
 * <tr><td>{@code forget MARK}</td><td>none of its processes is left</td></tr>
 * <tr><td>{@code renew MILLIS}</td><td>the agent lives, and will say so again within so long</td></tr>
 * </table>
 */
final class WatchList {
    private final Map<String, TaskProcesses> tasks = new LinkedHashMap<>();
    private long leaseEndsNanos;

    WatchList(long leaseEndsNanos) {
        this.leaseEndsNanos = leaseEndsNanos;
    }

    /** Takes in one line, and says what to answer. */
    Optional<String> on(String line, long nowNanos) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "watch" -> {
                tasks.putIfAbsent(words[1], TaskProcesses.expected(words[1]));
                yield Optional.of("watching " + words[1]);
            }
            case "led" -> {
                TaskProcesses.Leader leader =
                        new TaskProcesses.Leader(Long.parseLong(words[2]), Long.parseLong(words[3]));
                tasks.computeIfPresent(words[1], (mark, task) -> task.ledBy(leader));
                yield Optional.empty();
            }
            case "forget" -> {
                tasks.remove(words[1]);
                yield Optional.empty();
            }
            case "renew" -> {
                leaseEndsNanos = nowNanos + Long.parseLong(words[1]) * 1_000_000;
                yield Optional.empty();
            }
            default -> throw new IllegalArgumentException("a guard does not know the line: " + line);
        };
    }

    long leaseLeftNanos(long nowNanos) {
        return leaseEndsNanos - nowNanos;
    }

    /** The lease is over: the guard kills what it watches and then waits until the agent is heard of again. */
    void leaseWaits(long untilNanos) {
        leaseEndsNanos = untilNanos;
    }

    Collection<TaskProcesses> tasks() {
        return tasks.values();
    }

    /** Whether an attempt may be on its way: announced, and its first process not known yet. */
    boolean expectsMore() {
        return tasks.values().stream().anyMatch(task -> task.leader().isEmpty());
    }
}
