/**
 * Finds the types of scheduler there are: those on the class path, and those of jars that somebody names. Start reading
 * at {@link dev.cella.scheduling.plugin.SchedulerTypes}; what a jar has to be is in {@link
 * dev.cella.scheduling.plugin.PluginJar}.
 *
 * <p>May use {@code dev.cella.scheduling}; reads files, and loads classes by {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.cella.scheduling.plugin;

import org.jspecify.annotations.NullMarked;
