/**
 * A cell over HTTP/JSON, on the JDK alone, for commands that must start fast.
 *
 * <p>May use {@code json}; neither gRPC nor Armeria.
 */
@NullMarked
package dev.cella.client.http;

import org.jspecify.annotations.NullMarked;
