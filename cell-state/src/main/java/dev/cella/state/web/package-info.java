/**
 * The doors of a cell: gRPC and HTTP/JSON on one port, on Armeria.
 *
 * <p>Start at {@link dev.cella.state.web.WebServer}. {@code service} has what each call does, {@code http} how it is asked over
 * HTTP, {@code feed} the feed as server-sent events, {@code rows} the rows of the cell as messages.
 *
 * <p>May use {@code core} and {@code cell-client}.
 */
@NullMarked
package dev.cella.state.web;

import org.jspecify.annotations.NullMarked;
