/** Access to a cell: tokens and certificates. */
@NullMarked
package dev.cella.cli.access;

import org.jspecify.annotations.NullMarked;
