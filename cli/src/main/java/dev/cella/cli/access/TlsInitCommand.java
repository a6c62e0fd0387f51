package dev.cella.cli.access;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.access.CertificateAuthority;
import dev.cella.client.access.Pem;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsFilesException;
import dev.cella.client.access.TlsRole;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.OwnersOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella tls init}: an authority, and a certificate for each role; again, new certificates of the same authority. */
@Command(
        name = "init",
        header = "Makes a certificate authority for a cell and a certificate for each role.",
        description = {
            "",
            "Again on the same directory it renews the certificates under the same authority, for the names that they had and"
                    + " those of --host; what runs takes them without a restart. Copy to each host ca.pem and the two files of its role, and keep ca.key where nobody gets it.",
            "JSON and YAML are {directory, renewed, validUntil, ca}.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella tls init /etc/cella/tls --host 10.0.0.1 --host 10.0.0.2 --host 10.0.0.3",
            "  cella server --config /etc/cella/server.yaml --replica r1 --tls /etc/cella/tls",
            "  cella status --address https://10.0.0.1:7070 --ca /etc/cella/tls/ca.pem --token @admin.token"
        })
public final class TlsInitCommand implements Callable<Integer> {
    private static final Duration AUTHORITY_VALID = Duration.ofDays(3_650);

    /** As a certificate shows them, so that a renewal does not name one twice. */
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");

    private static final String AUTHORITY_KEY = "ca.key";

    /** Characters that end or change a part of the name in a certificate. */
    private static final Pattern MEANT_OTHERWISE = Pattern.compile("[,+=<>#;\\\\\"\\p{Cntrl}]");

    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "where the files are put")
    private String directory = "";

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "a name or address that a server is reached by; may be given again (loopback always is one)")
    private Set<String> hosts = Set.of();

    @Option(
            names = "--cell",
            paramLabel = "NAME",
            defaultValue = "cell",
            description = "the name of the cell, which the certificates show (default: cell)")
    private String cell = "cell";

    @Option(
            names = "--valid",
            paramLabel = "DURATION",
            defaultValue = "365d",
            description = "how long the certificates of the roles are valid (default: 365d)")
    private Duration valid = Duration.ofDays(365);

    @Mixin
    private final OutputOption output = new OutputOption();

    public TlsInitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, GeneralSecurityException {
        output.refuseNames();
        if (valid.isZero()) {
            throw CommandFailure.usage("--valid is above 0s", "see cella tls init --help");
        }
        if (MEANT_OTHERWISE.matcher(cell).find()) {
            throw CommandFailure.usage(
                    "--cell is a name without any of , + = < > # ; \\ \", not " + cell, "see cella tls init --help");
        }
        Path folder = terminal.environment().path(directory);
        Instant now = terminal.environment().clock().instant();
        boolean renews = Files.exists(folder.resolve(TlsFiles.CA));
        OwnersOnly.createDirectories(folder);
        CertificateAuthority authority = renews ? read(folder) : make(folder, now);
        Instant until = end(authority, now);
        Set<String> servers = new LinkedHashSet<>(hosts);
        servers.addAll(LOOPBACK);
        servers.addAll(formerHosts(folder));
        try {
            for (TlsRole role : TlsRole.values()) {
                CertificateAuthority.Signed signed = authority.sign(
                        role, role == TlsRole.SERVER ? servers : Set.of(), now, Duration.between(now, until));
                write(folder, role.word() + ".key", Pem.write(signed.key()));
                write(folder, role.word() + ".pem", Pem.write(signed.certificate()));
            }
        } catch (IllegalArgumentException noHost) {
            throw CommandFailure.usage("--host: " + noHost.getMessage(), "see cella tls init --help");
        }
        output.print(terminal, () -> data(folder, renews, until), () -> print(folder, renews, until));
        return ExitCode.DONE.number();
    }

    private CertificateAuthority make(Path folder, Instant now) throws IOException, GeneralSecurityException {
        CertificateAuthority authority = CertificateAuthority.make(cell, now, AUTHORITY_VALID);
        write(folder, AUTHORITY_KEY, Pem.write(authority.key()));
        write(folder, TlsFiles.CA, Pem.write(authority.certificate()));
        return authority;
    }

    private static CertificateAuthority read(Path folder) {
        try {
            return CertificateAuthority.of(
                    Pem.readCertificates(folder.resolve(TlsFiles.CA)).get(0),
                    Pem.readKey(folder.resolve(AUTHORITY_KEY)));
        } catch (TlsFilesException refused) {
            throw CommandFailure.failed(
                    String.valueOf(refused.getMessage()),
                    "renew where the authority was made, or make another in an empty directory");
        }
    }

    /** Nobody trusts a certificate for longer than its authority. */
    private Instant end(CertificateAuthority authority, Instant now) {
        Instant authorityEnds = authority.certificate().getNotAfter().toInstant();
        if (!authorityEnds.isAfter(now)) {
            throw CommandFailure.failed(
                    "the authority's own certificate has expired, on " + authorityEnds,
                    "make another authority in an empty directory, and give its files to all that runs");
        }
        Instant wanted = now.plus(valid);
        return wanted.isBefore(authorityEnds) ? wanted : authorityEnds;
    }

    /** The names in the present certificate of the servers: without them, a renewal would lock out everybody who uses them. */
    private static List<String> formerHosts(Path folder) throws GeneralSecurityException {
        Path file = folder.resolve(TlsRole.SERVER.word() + ".pem");
        if (!Files.exists(file)) {
            return List.of();
        }
        Collection<List<?>> names = Pem.readCertificates(file).get(0).getSubjectAlternativeNames();
        return names == null
                ? List.of()
                : names.stream().map(name -> String.valueOf(name.get(1))).toList();
    }

    private static void write(Path folder, String file, String text) throws IOException {
        DurableFiles.replace(folder.resolve(file), text);
    }

    private static Map<String, Object> data(Path folder, boolean renewed, Instant until) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("directory", folder.toString());
        data.put("renewed", renewed);
        data.put("validUntil", until.toString());
        data.put("ca", folder.resolve(TlsFiles.CA).toString());
        return data;
    }

    private void print(Path folder, boolean renewed, Instant until) {
        terminal.print((renewed ? "renewed the certificates in " : "made an authority and certificates in ") + folder);
        terminal.print("  valid until " + until);
        terminal.print("  a server takes     --tls " + folder + " (ca.pem, server.pem, server.key)");
        terminal.print("  a scheduler takes  --tls " + folder + " (ca.pem, scheduler.pem, scheduler.key)");
        terminal.print("  an agent takes     --tls " + folder + " (ca.pem, agent.pem, agent.key)");
        terminal.print("  a command takes    --ca " + folder.resolve(TlsFiles.CA));
    }
}
