/** {@code cella pool} and what schedulers may do: the policies that an operator sets. */
@NullMarked
package dev.cella.cli.pool;

import org.jspecify.annotations.NullMarked;
