package dev.cella.client.access;

import java.security.cert.X509Certificate;
import java.util.Locale;

/** The role of a certificate's owner in a cell: the common name of the certificate. */
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
