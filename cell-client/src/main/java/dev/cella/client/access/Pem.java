package dev.cella.client.access;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** Certificates and private keys as PEM files. */
public final class Pem {
    private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_END = "-----END PRIVATE KEY-----";
    private static final String CERTIFICATE_BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String CERTIFICATE_END = "-----END CERTIFICATE-----";

    private Pem() {}

    public static String write(X509Certificate certificate) throws GeneralSecurityException {
        return CERTIFICATE_BEGIN + "\n" + base64(certificate.getEncoded()) + "\n" + CERTIFICATE_END + "\n";
    }

    public static String write(PrivateKey key) {
        return KEY_BEGIN + "\n" + base64(key.getEncoded()) + "\n" + KEY_END + "\n";
    }

    private static String base64(byte[] bytes) {
        return Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    }

    /** All certificates of a file, in order; at least one. */
    public static List<X509Certificate> readCertificates(Path file) {
        byte[] bytes = read(file);
        try {
            List<X509Certificate> read =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bytes))
                            .stream()
                            .map(Pem::x509)
                            .toList();
            if (!read.isEmpty()) {
                return read;
            }
        } catch (GeneralSecurityException damaged) {
            // Said below, in words.
        }
        throw new TlsFilesException(file + " has no certificate in PEM", "make one with cella tls init");
    }

    private static X509Certificate x509(Certificate certificate) {
        return (X509Certificate) certificate;
    }

    /** An EC or RSA key in PKCS #8 without a password. */
    public static PrivateKey readKey(Path file) {
        String text = new String(read(file), StandardCharsets.US_ASCII);
        int begin = text.indexOf(KEY_BEGIN);
        int end = text.indexOf(KEY_END);
        if (begin >= 0 && end > begin) {
            try {
                byte[] key = Base64.getMimeDecoder().decode(text.substring(begin + KEY_BEGIN.length(), end));
                return key(new PKCS8EncodedKeySpec(key));
            } catch (GeneralSecurityException | IllegalArgumentException damaged) {
                // Said below, without a word of the key.
            }
        }
        throw new TlsFilesException(
                file + " has no private key in PEM (PKCS #8, without a password)", "make one with cella tls init");
    }

    private static PrivateKey key(PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(encoded);
        } catch (GeneralSecurityException anotherKind) {
            return KeyFactory.getInstance("RSA").generatePrivate(encoded);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new TlsFilesException("there is no file " + file, "make it with cella tls init");
        } catch (IOException unreadable) {
            throw new TlsFilesException("cannot read " + file, "make it readable for this user");
        }
    }
}
