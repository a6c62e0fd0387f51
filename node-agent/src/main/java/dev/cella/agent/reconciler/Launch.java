package dev.cella.agent.reconciler;

/** Everything that is needed to start an attempt. */
public record Launch(Assignment assignment, GroupRun run) {}
