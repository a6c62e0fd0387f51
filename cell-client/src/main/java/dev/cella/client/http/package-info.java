/**
 * A cell over HTTP/JSON, on the JDK's own client: what a command uses that must start fast.
 *
 * <p>May use {@code json}; neither gRPC nor Armeria.
 */
@NullMarked
package dev.cella.client.http;

import org.jspecify.annotations.NullMarked;
