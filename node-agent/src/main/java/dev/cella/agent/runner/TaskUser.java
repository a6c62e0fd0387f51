package dev.cella.agent.runner;

import dev.cella.transactions.model.TaskReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The user of tasks, with its numbers in the operating system. */
public record TaskUser(String name, int userId, int groupId) {
    private static final int OWNER_ENTERS = 0100;
    private static final int GROUP_ENTERS = 0010;
    private static final int OTHERS_ENTER = 0001;

    /** Asks the operating system, which may have several sources of users. */
    static TaskUser find(String name) throws IOException, InterruptedException {
        return new TaskUser(name, ask("-u", name), ask("-g", name));
    }

    /** The number of this process's user. */
    static int ownUserId() throws IOException, InterruptedException {
        return ask("-u");
    }

    /** Returns whether it may pass through all folders of that path, by their owners and modes. */
    boolean mayEnter(Path directory) throws NotStartedException {
        try {
            for (Path folder = directory.toRealPath(); folder != null; folder = folder.getParent()) {
                if (!mayPass(folder)) {
                    return false;
                }
            }
            return true;
        } catch (IOException gone) {
            throw new NotStartedException(TaskReason.DIRECTORY_NOT_FOUND, "no such directory: " + directory);
        }
    }

    private boolean mayPass(Path folder) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(folder, "unix:uid,gid,mode");
        int mode = number(attributes, "mode");
        if (number(attributes, "uid") == userId) {
            return (mode & OWNER_ENTERS) != 0;
        }
        return number(attributes, "gid") == groupId ? (mode & GROUP_ENTERS) != 0 : (mode & OTHERS_ENTER) != 0;
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer number ? number : 0;
    }

    private static int ask(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = Programs.require("id").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process id = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        if (id.waitFor() != 0 || answer.isEmpty()) {
            throw new IOException("there is no user " + arguments[arguments.length - 1] + " on this machine");
        }
        return Integer.parseInt(answer);
    }
}
