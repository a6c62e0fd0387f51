/**
 * JSON and YAML to messages of the wire contract and back, by their descriptors, with every fault found named by its
 * place.
 *
 * <p>It may use {@code dev.cella.client} and its generated messages.
 */
@NullMarked
package dev.cella.client.json;

import org.jspecify.annotations.NullMarked;
