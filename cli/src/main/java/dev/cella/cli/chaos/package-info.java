/**
 * {@code cella chaos}: lists faults, checkers and scenarios, runs scenarios, runs a report again, and shrinks it. The work
 * is done in {@code chaos}.
 */
@NullMarked
package dev.cella.cli.chaos;

import org.jspecify.annotations.NullMarked;
