/**
 * Runs the stress tests of what is shared between threads: classes of jcstress that stand beside what they stress, in
 * {@code dev.cella.state.core}, because what is shared there is nobody else's. Start reading at {@link
 * dev.cella.stress.StressTest}.
 *
 * <p>jcstress has a licence that keeps it out of what ships; nothing but these tests knows it.
 */
@NullMarked
package dev.cella.stress;

import org.jspecify.annotations.NullMarked;
