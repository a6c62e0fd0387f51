/**
 * The door for HTTP: finds the call that a path names, turns the request into its protobuf message and the answer into JSON.
 *
 * <p>Start at {@link dev.cella.state.web.http.HttpDoor}. {@link dev.cella.state.web.http.UnaryMethod} is one row of the table
 * that this door and the gRPC one are both made of. Nothing here knows what a cell is: it may use Armeria, protobuf and
 * {@code cell-client}, and nothing of {@code core}.
 */
@NullMarked
package dev.cella.state.web.http;

import org.jspecify.annotations.NullMarked;
