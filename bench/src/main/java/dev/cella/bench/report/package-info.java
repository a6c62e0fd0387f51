/**
 * Measurements as people read them: the page that is made from kept runs. Start with {@link dev.cella.bench.report.Topics}, which
 * lists every figure with its command and its finish line.
 */
@NullMarked
package dev.cella.bench.report;

import org.jspecify.annotations.NullMarked;
