package dev.cella.client.access;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Why there is no TLS connection with a server, for a person.
 *
 * @param why the fault, in words
 * @param hint how to fix it
 */
public record TlsFailure(String why, String hint) {
    /** An alert from the other side, in the words of the JDK and of BoringSSL. */
    private static final Pattern ABOUT_THIS_SIDE =
            Pattern.compile("alert.*(certificate|unknown_ca)", Pattern.CASE_INSENSITIVE);

    private static final TlsFailure UNKNOWN = new TlsFailure(
            "it does not speak TLS, or this machine does not trust its certificate",
            "compare the address with that of the server, and name the cell's authority with --ca");

    public static TlsFailure of(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof CertificateExpiredException) {
                return new TlsFailure(
                        "its certificate has expired",
                        "run cella tls init DIR again where the authority's ca.key is, and copy server.pem and"
                                + " server.key to the servers; they need no restart");
            }
            if (each instanceof CertificateNotYetValidException) {
                return new TlsFailure("its certificate is not valid yet", "compare the clocks of both machines");
            }
            if (each instanceof CertPathBuilderException) {
                return new TlsFailure(
                        "its certificate is not signed by an authority that is trusted here",
                        "name the cell's authority with --ca FILE (ca.pem of cella tls init)");
            }
            if (each instanceof CertificateException other
                    && String.valueOf(other.getMessage()).contains("No subject alternative")) {
                return new TlsFailure(
                        "its certificate is for other names",
                        "make one for this name too: cella tls init DIR --host NAME; or use a name that it has");
            }
            if (each instanceof SSLException
                    && ABOUT_THIS_SIDE
                            .matcher(String.valueOf(each.getMessage()))
                            .find()) {
                return new TlsFailure(
                        "it refuses the certificate of this side, which may have expired or be of another authority",
                        "run cella tls init DIR again where the authority's ca.key is, and copy the files of this side");
            }
        }
        return UNKNOWN;
    }
}
