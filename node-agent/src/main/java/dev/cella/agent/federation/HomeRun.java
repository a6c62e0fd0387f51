package dev.cella.agent.federation;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;

/**
 * What an attempt of the home runs.
 *
 * @param group the task's group, or the one that its group copies
 * @param index the task's index, or that of the task that it copies
 */
public record HomeRun(Job job, Group group, int index) {}
