package dev.cella.transactions.model;

/** N tasks of one shape, as far as decisions read them. */
public record GroupHeader(String name, int count, Amounts shape, Restart restart) {
    public GroupHeader {
        Labels.checkName("group name", name);
        if (count < 1 || count > JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException(
                    "group " + name + " has 1 to " + JobHeader.TASKS_MAX + " tasks, not " + count);
        }
        if (shape.isNone()) {
            throw new IllegalArgumentException("group " + name + " asks for nothing");
        }
    }
}
