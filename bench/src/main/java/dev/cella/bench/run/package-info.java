/**
 * From a job's submission to its tasks RUNNING, through a whole cell. Start reading at {@link
 * dev.cella.bench.run.RunBench}.
 */
@NullMarked
package dev.cella.bench.run;

import org.jspecify.annotations.NullMarked;
