/** {@code cella pool} and the rights of schedulers: the policies that an operator sets. */
@NullMarked
package dev.cella.cli.pool;

import org.jspecify.annotations.NullMarked;
