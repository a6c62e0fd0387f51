/** Who may ask a cell for what: tokens and certificates. */
@NullMarked
package dev.cella.cli.access;

import org.jspecify.annotations.NullMarked;
