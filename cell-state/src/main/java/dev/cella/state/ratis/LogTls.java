package dev.cella.state.ratis;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * The certificates by which the logs of replicas know each other: both sides show one.
 *
 * @param keys what this replica shows
 * @param replicas trusts the cell's replicas and nobody else
 */
public record LogTls(KeyManager keys, TrustManager replicas) {}
