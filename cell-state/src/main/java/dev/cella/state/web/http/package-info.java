/**
 * The HTTP door: finds the call for a path, and converts its request and answer between JSON and protobuf.
 *
 * <p>Start at {@link dev.cella.state.web.http.HttpDoor}. {@link dev.cella.state.web.http.UnaryMethod} is one row of the table
 * from which this door and the gRPC one are made. Nothing here knows about cells: the package may use Armeria, protobuf and
 * {@code cell-client}, but not {@code core}.
 */
@NullMarked
package dev.cella.state.web.http;

import org.jspecify.annotations.NullMarked;
