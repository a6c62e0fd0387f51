/**
 * The doors of a cell: gRPC and HTTP/JSON on one port, on Armeria.
 *
 * <p>Start at {@link dev.cella.state.web.WebServer}. {@code service} implements the calls, {@code http} serves them over HTTP,
 * {@code feed} has the feed as server-sent events, and {@code rows} turns the rows of the cell into messages.
 *
 * <p>It may use {@code core} and {@code cell-client}.
 */
@NullMarked
package dev.cella.state.web;

import org.jspecify.annotations.NullMarked;
