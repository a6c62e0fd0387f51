/**
 * Scheduler types on the command line: the jars with more of them, and their options. Start reading at {@code PluginOption}.
 *
 * <p>It may use {@code cli.terminal}, and {@code scheduling}, which loads the jars.
 */
@NullMarked
package dev.cella.cli.plugin;

import org.jspecify.annotations.NullMarked;
