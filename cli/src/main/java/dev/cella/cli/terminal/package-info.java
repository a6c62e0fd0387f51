/**
 * The layer between the commands and the person who types them: streams, exit codes, tables, amounts as words. Start
 * reading at {@code Terminal}.
 *
 * <p>It may use {@code dev.cella.client} and nothing else of ours.
 */
@NullMarked
package dev.cella.cli.terminal;

import org.jspecify.annotations.NullMarked;
