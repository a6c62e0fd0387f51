/**
 * Compares the code with its design: which module and package may use which, where each library stays, and that decisions are
 * pure. Start reading at {@code Architecture}; {@code PlantedViolationsTest} shows that each rule can fail.
 */
@NullMarked
package dev.cella.architecture;

import org.jspecify.annotations.NullMarked;
