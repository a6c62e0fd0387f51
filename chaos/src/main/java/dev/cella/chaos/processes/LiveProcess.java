package dev.cella.chaos.processes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process of a cell that runs already. The guard that executes a fault knows only its own: where two pause one process, the end
 * of the first lets it continue.
 */
final class LiveProcess implements Breakable {
    private final long pid;
    private @Nullable ProcessImage killed;

    private LiveProcess(long pid) {
        this.pid = pid;
    }

    static List<LiveProcess> of(List<Long> pids) {
        return pids.stream().map(LiveProcess::new).toList();
    }

    @Override
    public String name() {
        return Long.toString(pid);
    }

    @Override
    public boolean isAlive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Override
    public void keepDown(ProcessFault by) {
        if (isAlive()) {
            killed = ProcessImage.of(pid);
            Signals.kill(pid);
        }
    }

    /** As it was started before. */
    @Override
    public void startAgain(ProcessFault by) {
        if (killed != null) {
            killed.start();
        }
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
