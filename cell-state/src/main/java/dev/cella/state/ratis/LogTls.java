package dev.cella.state.ratis;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * The certificates with which the logs of replicas authenticate each other.
 *
 * @param keys the certificate that this replica shows
 * @param replicas trusts the cell's replicas and nobody else
 */
public record LogTls(KeyManager keys, TrustManager replicas) {}
