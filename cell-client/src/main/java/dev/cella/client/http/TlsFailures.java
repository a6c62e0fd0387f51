package dev.cella.client.http;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;

/** Explains a TLS failure with a server so that a person can fix it. */
final class TlsFailures {
    private TlsFailures() {}

    static String inWords(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof CertificateExpiredException) {
                return "its certificate has expired; renew it with cella tls init on the machine that has the authority's key";
            }
            if (each instanceof CertificateNotYetValidException) {
                return "its certificate is not valid yet; compare the clocks of both machines";
            }
            if (each instanceof CertPathBuilderException) {
                return "its certificate is not signed by an authority that is trusted here; name the cell's with --ca";
            }
            if (each instanceof CertificateException other
                    && String.valueOf(other.getMessage()).contains("No subject alternative")) {
                return "its certificate is for other names; make one for this name with cella tls init --host";
            }
        }
        return "it does not speak TLS, or this machine does not trust its certificate";
    }
}
