package dev.cella.agent.reconciler;

import java.util.Optional;

/**
 * A task of the home cell that runs in this cell as another job, its twin. To its command it is still the home's task. In the same
 * way a copy is to its command the task that it copies.
 *
 * @param job the name of the home's job
 * @param attempt of the home's task
 */
public record HomeTask(String job, String group, int index, int attempt) {
    /** The label of a twin that has this as its value. */
    public static final String LABEL = "cella.home.task";

    private static final int PARTS = 4;

    /** {@code web/main/3/1}: job, group, index, attempt. */
    public String text() {
        return job + "/" + group + "/" + index + "/" + attempt;
    }

    /** Empty if it is none: anybody may write a label. */
    public static Optional<HomeTask> parse(String text) {
        String[] parts = text.split("/", -1);
        boolean isOne = parts.length == PARTS && parts[2].matches("\\d{1,9}") && parts[3].matches("\\d{1,9}");
        return isOne
                ? Optional.of(new HomeTask(parts[0], parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3])))
                : Optional.empty();
    }
}
