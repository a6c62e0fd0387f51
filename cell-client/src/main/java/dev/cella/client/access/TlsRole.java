package dev.cella.client.access;

import java.security.cert.X509Certificate;
import java.util.Locale;

/** What the owner of a certificate is in a cell: the common name of the certificate. */
public enum TlsRole {
    SERVER,
    SCHEDULER,
    AGENT;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isOf(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName().contains("CN=" + word() + ",");
    }
}
