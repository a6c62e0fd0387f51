package dev.cella.transactions.model;

/** Why a task is stopping or why its attempt ended, beside its {@link TaskState}. */
public enum TaskReason {
    /** Nothing to add to the state. */
    NONE,
    /** Its job was stopped, or its scheduler stopped it. */
    KILLED,
    /** Another claim took its place. */
    PREEMPTED,
    /** Its machine is being drained. */
    DRAINED,
    /** A newer generation of the job replaces it. */
    UPDATED,
    /** It ran longer than it may. */
    TIMEOUT,
    /** Its process could not be started. */
    NOT_STARTED,
    /** It used more memory than it asked for. */
    OUT_OF_MEMORY,
    /** It answered its check too often with an error. */
    UNHEALTHY,
    /** Its machine was lost, removed, or came back as another incarnation. */
    MACHINE_LOST,
    /** Its agent does not know what became of it. */
    AGENT_LOST,
    /** Its command is nowhere on its machine, or is no program. */
    COMMAND_NOT_FOUND,
    /** The folder that it is to run in is not on its machine. */
    DIRECTORY_NOT_FOUND
}
