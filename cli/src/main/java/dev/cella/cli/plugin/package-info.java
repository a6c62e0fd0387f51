/**
 * What a user says about types of scheduler: which jars have more of them, and how one is set. Start reading at {@code
 * PluginOption}.
 *
 * <p>May use {@code cli.terminal}, and {@code scheduling}, which loads the jars.
 */
@NullMarked
package dev.cella.cli.plugin;

import org.jspecify.annotations.NullMarked;
