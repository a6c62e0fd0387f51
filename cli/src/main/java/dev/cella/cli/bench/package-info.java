/**
 * {@code cella bench}: measurements that anybody can repeat, each with what it is to be compared with.
 */
@NullMarked
package dev.cella.cli.bench;

import org.jspecify.annotations.NullMarked;
