package dev.cella.chaos.processes;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A process of a cell that runs already. The guard that executes a fault knows only its own: where two pause one process, the end
 * of the first lets it continue.
 *
 * <p>A process that was killed is back when another one of its name allows faults. A supervisor may have started that one: then
 * the guard starts none.
 */
final class LiveProcess implements Breakable {
    private final long pid;
    private final LiveTargets targets;
    private final Optional<LiveTarget> target;
    private Set<Long> others = Set.of();
    private @Nullable ProcessImage killed;
    private @Nullable Process copy;

    private LiveProcess(long pid, LiveTargets targets) {
        this.pid = pid;
        this.targets = targets;
        this.target = targets.all().stream().filter(each -> each.pid() == pid).findFirst();
    }

    static List<LiveProcess> of(List<Long> pids, LiveTargets targets) {
        return pids.stream().map(pid -> new LiveProcess(pid, targets)).toList();
    }

    @Override
    public String name() {
        return target.map(LiveTarget::name).orElse(Long.toString(pid));
    }

    @Override
    public boolean isAlive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Override
    public void keepDown(ProcessFault by) {
        if (isAlive()) {
            others = targets.all().stream().map(LiveTarget::pid).collect(Collectors.toSet());
            killed = ProcessImage.of(pid);
            Signals.kill(pid);
        }
    }

    /** As it was started before, unless its supervisor has done so. */
    @Override
    public void startAgain(ProcessFault by) {
        if (killed != null && successor().isEmpty()) {
            try {
                copy = killed.start();
            } catch (UncheckedIOException noProgram) {
                // It is lost then, as one whose copy ends at once.
            }
        }
    }

    /** Returns whether it was not killed, or another process has its place in the cell. */
    boolean isBack() {
        return killed == null || successor().isPresent();
    }

    /** Returns whether it was killed, and neither another process has its place nor its copy runs. */
    boolean isLost() {
        return !isBack() && (copy == null || !copy.isAlive());
    }

    /** The process that has its place, in words; nothing if it was not killed. */
    Optional<String> successorInWords() {
        if (killed == null || isLost()) {
            return Optional.empty();
        }
        long its = successor().map(LiveTarget::pid).orElseGet(() -> copy == null ? pid : copy.pid());
        boolean ours = copy != null && copy.pid() == its;
        return Optional.of(name() + " runs again as process " + its + ": "
                + (ours ? killed.whereOutputGoes() : "its supervisor has started it"));
    }

    private Optional<LiveTarget> successor() {
        return target.flatMap(before -> targets.all().stream()
                .filter(each -> each.name().equals(before.name()) && each.does().equals(before.does()))
                .filter(each -> each.pid() != pid && !others.contains(each.pid()))
                .findFirst());
    }

    @Override
    public boolean isPaused() {
        return Signals.isPaused(pid);
    }

    @Override
    public void pause(ProcessFault by) {
        Signals.pause(pid);
    }

    @Override
    public void resume(ProcessFault by) {
        Signals.resume(pid);
    }
}
