/**
 * The doors of a cell: gRPC and HTTP/JSON on one port, on Armeria.
 *
 * <p>May use {@code core} and {@code cell-client}.
 */
@NullMarked
package dev.cella.state.web;

import org.jspecify.annotations.NullMarked;
