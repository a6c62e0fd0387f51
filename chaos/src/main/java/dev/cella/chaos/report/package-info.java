/** The reports of a run: JSON for programs, one HTML file with a time line for people. */
@NullMarked
package dev.cella.chaos.report;

import org.jspecify.annotations.NullMarked;
