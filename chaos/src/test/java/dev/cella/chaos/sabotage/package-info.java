/**
 * Sabotaged builds: each patch under {@code resources} puts one bug into Cella, and the chaos suite must find it.
 *
 * <p>Start reading at {@link dev.cella.chaos.sabotage.SabotageTest}.
 */
@NullMarked
package dev.cella.chaos.sabotage;

import org.jspecify.annotations.NullMarked;
