package dev.cella.client.access;

import dev.cella.client.access.TlsFiles.Own;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One side's certificates, read again when their files change: a renewed certificate is used from the next handshake on,
 * without a restart. Connections that are open stay as they are.
 *
 * <p>If the new files cannot be read, or the key is of another certificate, the older certificates stay in use: a renewal writes
 * one file after the other.
 *
 * <p>Safe to share between threads.
 */
public final class Tls {
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String ALIAS = "cella";

    /** Signed with a key to see whether it belongs to a certificate. */
    private static final byte[] SIGNED = ALIAS.getBytes(StandardCharsets.US_ASCII);

    private final TlsFiles files;
    private final long lookAgainNanos;
    private volatile Loaded loaded;

    /** The content of the files when they were read. */
    private record Loaded(
            List<FileTime> stamps,
            long lookedNanos,
            X509ExtendedTrustManager trust,
            List<X509Certificate> chain,
            @Nullable PrivateKey key) {
        Loaded lookedAt(long nanos) {
            return new Loaded(stamps, nanos, trust, chain, key);
        }
    }

    private Tls(TlsFiles files, long lookAgainNanos, Loaded loaded) {
        this.files = files;
        this.lookAgainNanos = lookAgainNanos;
        this.loaded = loaded;
    }

    /** Reads the files; fails with a {@link TlsFilesException}. */
    public static Tls load(TlsFiles files) {
        return load(files, LOOK_AGAIN_NANOS);
    }

    /** Looks at the files as often as that. */
    static Tls load(TlsFiles files, long lookAgainNanos) {
        return new Tls(files, lookAgainNanos, read(files));
    }

    private static Loaded read(TlsFiles files) {
        List<FileTime> stamps = stamps(files);
        X509ExtendedTrustManager trust = trust(Pem.readCertificates(files.ca()));
        if (files.own().isEmpty()) {
            return new Loaded(stamps, System.nanoTime(), trust, List.of(), null);
        }
        Own own = files.own().get();
        List<X509Certificate> chain = Pem.readCertificates(own.certificate());
        PrivateKey key = Pem.readKey(own.key());
        if (!isKeyOf(chain.get(0), key)) {
            throw new TlsFilesException(
                    own.key() + " is not the key of " + own.certificate(),
                    "copy both files of one cella tls init; the newer one may be missing here");
        }
        return new Loaded(stamps, System.nanoTime(), trust, chain, key);
    }

    private static boolean isKeyOf(X509Certificate certificate, PrivateKey key) {
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(key);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(SIGNED);
            return signature.verify(signed);
        } catch (GeneralSecurityException ofAnotherKind) {
            return false;
        }
    }

    private static List<FileTime> stamps(TlsFiles files) {
        List<Path> all = new ArrayList<>(List.of(files.ca()));
        files.own().ifPresent(own -> all.addAll(List.of(own.certificate(), own.key())));
        List<FileTime> stamps = new ArrayList<>();
        for (Path file : all) {
            try {
                stamps.add(Files.getLastModifiedTime(file));
            } catch (IOException missing) {
                stamps.add(FileTime.fromMillis(0));
            }
        }
        return stamps;
    }

    private static X509ExtendedTrustManager trust(List<X509Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int place = 0; place < authorities.size(); place++) {
                store.setCertificateEntry("ca" + place, authorities.get(place));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("certificates that were read are not accepted", impossible);
        }
    }

    private Loaded current() {
        Loaded now = loaded;
        if (System.nanoTime() - now.lookedNanos() < lookAgainNanos) {
            return now;
        }
        return lookAgain(now);
    }

    /** Another thread may have reloaded in the meantime, so this compares object identity. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized Loaded lookAgain(Loaded seen) {
        if (loaded != seen) {
            return loaded;
        }
        try {
            loaded = stamps(files).equals(seen.stamps()) ? seen.lookedAt(System.nanoTime()) : read(files);
        } catch (TlsFilesException halfWritten) {
            loaded = seen.lookedAt(System.nanoTime());
        }
        return loaded;
    }

    /** When the first of this side's certificates expires; empty if it has none. */
    public Optional<Instant> expiresAt() {
        return current().chain().stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo);
    }

    /** Returns whether this side has a certificate to show. */
    public boolean hasOwn() {
        return current().key() != null;
    }

    public KeyManager keyManager() {
        return new Keys();
    }

    public TrustManager trustManager() {
        return new Trust(null, true);
    }

    /** Trusts only certificates that the authority signed for that role. */
    public TrustManager trustManager(TlsRole role) {
        return new Trust(role, true);
    }

    /**
     * As {@link #trustManager(TlsRole)}, at whatever address the other side is. Agents share one certificate, which names no
     * host.
     */
    public TrustManager trustManagerAnywhere(TlsRole role) {
        return new Trust(role, false);
    }

    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keyManager()}, new TrustManager[] {trustManager()}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK has no TLS", impossible);
        }
    }

    /** Shows the certificate that is in the files now. */
    private final class Keys extends X509ExtendedKeyManager {
        private @Nullable String alias() {
            return current().key() == null ? null : ALIAS;
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String @Nullable [] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return alias();
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                @Nullable String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return fits(type) ? alias() : null;
        }

        /** Called for each kind of key that the client knows, in the client's order. */
        private boolean fits(@Nullable String type) {
            PrivateKey key = current().key();
            return key != null
                    && (type == null || type.startsWith(key.getAlgorithm()) || type.contains("_" + key.getAlgorithm()));
        }

        @Override
        public @Nullable String chooseClientAlias(
                String @Nullable [] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return alias();
        }

        @Override
        public @Nullable String chooseServerAlias(
                @Nullable String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return fits(type) ? alias() : null;
        }

        @Override
        public String @Nullable [] getClientAliases(@Nullable String type, Principal @Nullable [] issuers) {
            return aliases();
        }

        @Override
        public String @Nullable [] getServerAliases(@Nullable String type, Principal @Nullable [] issuers) {
            return aliases();
        }

        private String @Nullable [] aliases() {
            String alias = alias();
            return alias == null ? null : new String[] {alias};
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
            return current().chain().toArray(X509Certificate[]::new);
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
            return current().key();
        }
    }

    /** Checks the other side against the authority that is in the files now. */
    private final class Trust extends X509ExtendedTrustManager {
        private final @Nullable TlsRole role;
        private final boolean checksHost;

        Trust(@Nullable TlsRole role, boolean checksHost) {
            this.role = role;
            this.checksHost = checksHost;
        }

        private void checkRole(X509Certificate[] chain) throws CertificateException {
            if (role != null && !role.isOf(chain[0])) {
                throw new CertificateException("the certificate is not one of a " + role.word() + " of this cell");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            current().trust().checkClientTrusted(chain, type, socket);
            checkRole(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            current().trust().checkServerTrusted(chain, type, socket);
            checkRole(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            current().trust().checkClientTrusted(chain, type, engine);
            checkRole(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            if (checksHost) {
                current().trust().checkServerTrusted(chain, type, engine);
            } else {
                current().trust().checkServerTrusted(chain, type);
            }
            checkRole(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            current().trust().checkClientTrusted(chain, type);
            checkRole(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            current().trust().checkServerTrusted(chain, type);
            checkRole(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return current().trust().getAcceptedIssuers();
        }
    }
}
