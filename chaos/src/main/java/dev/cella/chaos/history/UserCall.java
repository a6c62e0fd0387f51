package dev.cella.chaos.history;

/**
 * A user's call for a job. A user knows the job by its name, and of the cell only what the answer says: not the command, the
 * job's identity or what the command found.
 */
public record UserCall(Order order, String job, long askedAtNanos, Answer answer) {
    /** What users ask for. */
    public enum Order {
        SUBMIT("the submission"),
        STOP("the stop");

        private final String words;

        Order(String words) {
            this.words = words;
        }

        /** As a message calls it. */
        public String words() {
            return words;
        }
    }

    /** How the call ended, after all its repetitions. */
    public sealed interface Answer {}

    /**
     * The cell did it.
     *
     * @param job the name in the answer
     * @param generation the job's; 0 in the answer to a stop, which names none
     */
    public record Done(long atNanos, String job, long version, long generation) implements Answer {}

    /**
     * The cell refused it.
     *
     * @param first whether nothing but this answer came: the cell may have done an earlier try that was not answered
     * @param unknown whether the cell says that it does not know the job
     */
    public record Refused(long atNanos, boolean first, boolean unknown, String problem) implements Answer {}

    /** A server failed inside. */
    public record Failed(long atNanos, String problem) implements Answer {}

    /** The run ended before an answer came. */
    public record Unanswered() implements Answer {}
}
