package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What stands between a task and the rest of its machine. So far: a session of its own, and another user if the agent is
 * root. Neither bounds what a task uses, so it is called what it is, {@code isolation=none}.
 *
 * @param user whom tasks run as, if that is somebody else than the agent
 */
public record Isolation(Path setsid, Optional<Path> setpriv, Optional<TaskUser> user) {
    private static final String NOBODY = "nobody";
    private static final int ROOT = 0;

    /**
     * What this machine and this process allow. Root runs tasks as nobody unless a user is named; anybody else can run
     * them as itself only.
     */
    public static Isolation detect(Optional<String> taskUser) throws IOException, InterruptedException {
        Path setsid = Programs.require("setsid");
        if (TaskUser.ownUserId() != ROOT) {
            return asOneself(setsid, taskUser);
        }
        TaskUser user = TaskUser.find(taskUser.orElse(NOBODY));
        if (user.userId() == ROOT) {
            return new Isolation(setsid, Optional.empty(), Optional.empty());
        }
        return new Isolation(setsid, Optional.of(Programs.require("setpriv")), Optional.of(user));
    }

    private static Isolation asOneself(Path setsid, Optional<String> taskUser) throws IOException {
        String own = System.getProperty("user.name");
        if (taskUser.isPresent() && !taskUser.get().equals(own)) {
            throw new IOException("only root can run tasks as " + taskUser.get() + "; this agent runs as " + own);
        }
        return new Isolation(setsid, Optional.empty(), Optional.empty());
    }

    /** The command as it is to be executed: argument lists all the way, never a shell. */
    List<String> wrap(List<String> command) {
        List<String> wrapped = new ArrayList<>();
        wrapped.add(setsid.toString());
        wrapped.add("--");
        if (setpriv.isPresent() && user.isPresent()) {
            wrapped.add(setpriv.get().toString());
            wrapped.add("--reuid=" + user.get().userId());
            wrapped.add("--regid=" + user.get().groupId());
            wrapped.add("--clear-groups");
            wrapped.add("--no-new-privs");
            wrapped.add("--");
        }
        wrapped.addAll(command);
        return wrapped;
    }

    /** The level, as the machine's row shows it. */
    public String level() {
        return "none";
    }

    public String userName() {
        return user.map(TaskUser::name).orElseGet(() -> System.getProperty("user.name"));
    }

    /** In one line, for whoever starts the agent. */
    @Override
    public String toString() {
        return "isolation=" + level() + " user=" + userName()
                + ": no cgroups or namespaces yet, so a task may use more than it asked for and sees the others";
    }
}
