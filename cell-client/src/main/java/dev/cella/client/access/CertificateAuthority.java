package dev.cella.client.access;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * Signs the certificates of one cell. Keys are on the curve P-256, signatures ECDSA with SHA-256.
 *
 * <p>The JDK can read and check certificates but cannot make them, so this class writes them in the format of RFC 5280.
 */
public final class CertificateAuthority {
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final int SERIAL_BITS = 127;

    /** Clocks of two machines are never quite the same. */
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final X509Certificate certificate;
    private final PrivateKey key;

    /** A certificate and its private key. */
    public record Signed(X509Certificate certificate, PrivateKey key) {}

    private CertificateAuthority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Opens an existing authority from its files. */
    public static CertificateAuthority of(X509Certificate certificate, PrivateKey key) {
        return new CertificateAuthority(certificate, key);
    }

    /** A new authority. */
    public static CertificateAuthority make(String cell, Instant now, Duration valid) throws GeneralSecurityException {
        X500Principal name = new X500Principal("CN=ca,O=Cella cell " + cell);
        KeyPair keys = keys();
        byte[] extensions = Der.sequence(
                critical(BASIC_CONSTRAINTS, Der.sequence(Der.isTrue())), critical(KEY_USAGE, Der.bits(1, (byte) 0x06)));
        X509Certificate made = sign(name, name, keys.getPublic(), keys.getPrivate(), now, now.plus(valid), extensions);
        return new CertificateAuthority(made, keys.getPrivate());
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey key() {
        return key;
    }

    /**
     * Signs a new key for a role.
     *
     * @param hosts names and addresses of the server
     */
    public Signed sign(TlsRole role, Collection<String> hosts, Instant now, Duration valid)
            throws GeneralSecurityException {
        KeyPair keys = keys();
        X500Principal issuer = certificate.getSubjectX500Principal();
        String organisation = issuer.getName().substring(issuer.getName().indexOf(",O=") + 1);
        List<byte[]> extensions = new ArrayList<>(List.of(
                critical(BASIC_CONSTRAINTS, Der.sequence()),
                critical(KEY_USAGE, Der.bits(7, (byte) 0x80)),
                extension(
                        EXTENDED_KEY_USAGE,
                        Der.sequence(Der.objectId(SERVER_AUTHENTICATION), Der.objectId(CLIENT_AUTHENTICATION)))));
        if (!hosts.isEmpty()) {
            extensions.add(extension(
                    ALTERNATIVE_NAMES,
                    Der.sequence(hosts.stream().map(CertificateAuthority::host).toArray(byte[][]::new))));
        }
        X509Certificate made = sign(
                issuer,
                new X500Principal("CN=" + role.word() + "," + organisation),
                keys.getPublic(),
                key,
                now,
                now.plus(valid),
                Der.sequence(extensions.toArray(byte[][]::new)));
        return new Signed(made, keys.getPrivate());
    }

    private static byte[] host(String host) {
        if (host.matches("[0-9.]+") || host.contains(":")) {
            try {
                return Der.plainTagged(IP_ADDRESS, InetAddress.getByName(host).getAddress());
            } catch (UnknownHostException noAddress) {
                throw new IllegalArgumentException(host + " is no address", noAddress);
            }
        }
        if (!host.matches("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")) {
            throw new IllegalArgumentException(host + " is no host name");
        }
        return Der.plainTagged(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        return generator.generateKeyPair();
    }

    private static byte[] critical(String id, byte[] value) {
        return Der.sequence(Der.objectId(id), Der.isTrue(), Der.octets(value));
    }

    private static byte[] extension(String id, byte[] value) {
        return Der.sequence(Der.objectId(id), Der.octets(value));
    }

    private static X509Certificate sign(
            X500Principal issuer,
            X500Principal subject,
            PublicKey subjectKey,
            PrivateKey issuerKey,
            Instant now,
            Instant until,
            byte[] extensions)
            throws GeneralSecurityException {
        byte[] algorithm = Der.sequence(Der.objectId(ECDSA_WITH_SHA256));
        byte[] toBeSigned = Der.sequence(
                Der.tagged(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(SERIAL_BITS, RANDOM)),
                algorithm,
                issuer.getEncoded(),
                Der.sequence(Der.time(now.minus(CLOCKS_DIFFER)), Der.time(until)),
                subject.getEncoded(),
                subjectKey.getEncoded(),
                Der.tagged(3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(issuerKey, RANDOM);
        signature.update(toBeSigned);
        byte[] signed = Der.sequence(toBeSigned, algorithm, Der.bits(0, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
    }
}
