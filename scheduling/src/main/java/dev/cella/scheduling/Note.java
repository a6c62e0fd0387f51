package dev.cella.scheduling;

/** How a job stands beside its pending tasks, in words for people: the state of its update. */
public record Note(JobKey job, String text) {}
