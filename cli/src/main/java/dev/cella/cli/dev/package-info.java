/**
 * {@code cella dev}: a whole cell in one process, whose parts communicate through the port as anywhere else. Start reading at
 * {@code DevCommand}.
 *
 * <p>It may use the other packages of the command but the root, and every module that a part is made of.
 */
@NullMarked
package dev.cella.cli.dev;

import org.jspecify.annotations.NullMarked;
