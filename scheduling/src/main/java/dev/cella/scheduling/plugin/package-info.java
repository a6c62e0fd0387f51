/**
 * Finds the available scheduler types: those on the class path, and those of named jars. Start reading at {@link
 * dev.cella.scheduling.plugin.SchedulerTypes}; {@link dev.cella.scheduling.plugin.PluginJar} describes a valid jar.
 *
 * <p>It may use {@code dev.cella.scheduling}; reads files, and loads classes by {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.cella.scheduling.plugin;

import org.jspecify.annotations.NullMarked;
