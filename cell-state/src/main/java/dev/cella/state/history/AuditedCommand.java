package dev.cella.state.history;

/**
 * A command as the audit keeps it.
 *
 * @param subject the job, machine, scheduler, pool or token that it was about; empty for a command about the whole cell
 * @param result CREATED, CHANGED or UNCHANGED, or the reason of its refusal
 */
public record AuditedCommand(
        long version, long atMillis, String principal, String command, String subject, String result) {}
