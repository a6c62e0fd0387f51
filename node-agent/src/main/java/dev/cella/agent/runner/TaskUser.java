package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The user of tasks, with its numbers in the operating system. */
public record TaskUser(String name, int userId, int groupId) {
    /** Asks the operating system, which may have several sources of users. */
    static TaskUser find(String name) throws IOException, InterruptedException {
        return new TaskUser(name, ask("-u", name), ask("-g", name));
    }

    /** The number of this process's user. */
    static int ownUserId() throws IOException, InterruptedException {
        return ask("-u");
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
