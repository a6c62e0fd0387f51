/**
 * A cell over HTTP/JSON, on the JDK alone: what a command uses that must start fast.
 *
 * <p>May use {@code json}; neither gRPC nor Armeria.
 */
@NullMarked
package dev.cella.client.http;

import org.jspecify.annotations.NullMarked;
