/** {@code cella bench}: measurements that anybody can repeat, each beside a bound or a peer. */
@NullMarked
package dev.cella.cli.bench;

import org.jspecify.annotations.NullMarked;
