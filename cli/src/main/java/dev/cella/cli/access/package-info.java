/** Access to a cell: tokens, certificates, and the audit of what was asked. */
@NullMarked
package dev.cella.cli.access;

import org.jspecify.annotations.NullMarked;
