/**
 * The implementation of each call, one class per service. Start at {@link dev.cella.state.web.service.JobService}.
 *
 * <p>A handler reads the cell, or submits a command and reports its result. It turns names into identities and identities into
 * names: nothing below knows a name that could mean another thing tomorrow. May use {@code core}, {@code web.rows} and the row
 * of the table in {@code web.http}.
 */
@NullMarked
package dev.cella.state.web.service;

import org.jspecify.annotations.NullMarked;
