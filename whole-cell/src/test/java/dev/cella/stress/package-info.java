/**
 * Runs the stress tests of shared objects: classes of jcstress in {@code dev.cella.state.core}, beside the code that they
 * stress, because that code is package-private. Start reading at {@link dev.cella.stress.StressTest}.
 *
 * <p>jcstress has a licence that keeps it out of what ships; only these tests use it.
 */
@NullMarked
package dev.cella.stress;

import org.jspecify.annotations.NullMarked;
