package dev.cella.chaos.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Signals to processes, and whether they arrived. The shell sends them, because not each machine has a program {@code kill}. */
public final class Signals {
    private Signals() {}

    /** The process does nothing until {@link #resume}. */
    public static void pause(long pid) {
        send("STOP", pid);
    }

    public static void resume(long pid) {
        send("CONT", pid);
    }

    /** As a power cut for the process: nothing in it notices. */
    public static void kill(long pid) {
        send("KILL", pid);
    }

    /** Returns whether this user may send signals to the process. */
    public static boolean isAllowed(long pid) {
        return send("0", pid);
    }

    /** Returns whether it was sent. A process that has ended needs no signal. */
    private static boolean send(String signal, long pid) {
        return Tool.works("sh", "-c", "kill -\"$1\" \"$2\"", "kill", signal, Long.toString(pid));
    }

    /** Returns whether the kernel shows the process as stopped. */
    public static boolean isPaused(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException gone) {
            return false;
        }
    }
}
