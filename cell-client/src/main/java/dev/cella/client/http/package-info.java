/**
 * A cell over HTTP/JSON, on the JDK alone, for commands that must start fast.
 *
 * <p>It may use {@code json}; neither gRPC nor Armeria.
 */
@NullMarked
package dev.cella.client.http;

import org.jspecify.annotations.NullMarked;
