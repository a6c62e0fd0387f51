/**
 * A second implementation of SEMANTICS section 5, written from its text alone. Tests compare it with the cell over random
 * histories, and the chaos suite compares it with the log of a run. Nothing that decides uses it.
 */
@NullMarked
package dev.cella.transactions.naive;

import org.jspecify.annotations.NullMarked;
