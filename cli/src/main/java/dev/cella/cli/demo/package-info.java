/**
 * {@code cella demo}: half a minute in which three schedulers work on one cell and collide. Start reading at {@code
 * DemoCommand}; {@code DemoScript} is the script, {@code DemoWatch} watches, {@code NaiveReplay} checks.
 *
 * <p>It may use the other packages of the command but the root, and every module that a part is made of.
 */
@NullMarked
package dev.cella.cli.demo;

import org.jspecify.annotations.NullMarked;
