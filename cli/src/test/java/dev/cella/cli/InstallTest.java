package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code deploy/install}, and one of the Debian package: a distribution with a small program, and a folder that
 * stands for a host.
 */
final class InstallTest {
    private static final Path DEPLOY = Path.of("../distribution/deploy");

    @TempDir
    private Path folder;

    private Path host;

    @BeforeEach
    void makeHost() throws IOException {
        host = Files.createDirectory(folder.resolve("host"));
    }

    /** Somebody who goes back to an older program, or installs the units again, runs the script of a program in /opt. */
    @Test
    void whereOptIsALink_aProgramThatIsInstalledAlreadyStays() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(host.resolve("opt"), elsewhere);
        unpack(elsewhere.resolve("cella-1"));
        unpack(elsewhere.resolve("cella-2"));
        install("022", elsewhere.resolve("cella-2"));

        install("022", host.resolve("opt/cella-1"));

        assertThat(elsewhere.resolve("cella-1/bin/cella")).exists();
        assertThat(host.resolve("opt/cella").toRealPath())
                .isEqualTo(elsewhere.resolve("cella-1").toRealPath());
        assertThat(elsewhere.resolve("cella-2/bin/cella")).exists();
    }

    /** A program that is installed again may be the one that runs. */
    @Test
    void aProgramThatCannotBeCopied_leavesTheOneThatIsInstalled() throws Exception {
        Path unpacked = unpack(folder.resolve("cella-1"));
        install("022", unpacked);
        Path tools = Files.createDirectory(folder.resolve("tools"));
        Files.writeString(tools.resolve("cp"), "#!/bin/sh\nexit 1\n");
        assertThat(tools.resolve("cp").toFile().setExecutable(true)).isTrue();

        String refused = "! PATH=%s:$PATH %s/deploy/install --root %s".formatted(tools, unpacked, host);
        run("sh", "-c", refused);

        assertThat(host.resolve("opt/cella/bin/cella")).exists();
    }

    /** The servers run as another user, and so do those who type a command. */
    @Test
    void withTheUmaskOfACarefulAdministrator_everybodyReadsTheProgram_andOnlyRootWritesIt() throws Exception {
        Path unpacked = unpack(folder.resolve("cella-1"));
        run("chmod", "-R", "go=", unpacked.toString());

        install("077", unpacked);

        for (String file : List.of("opt/cella-1", "opt/cella-1/bin/cella", "usr/local/bin")) {
            assertThat(mode(file)).as(file).isEqualTo("rwxr-xr-x");
        }
        for (String file : List.of("etc/cella/server.yaml", "etc/systemd/system/cella-server.service")) {
            assertThat(mode(file)).as(file).isEqualTo("rw-r--r--");
        }
    }

    /** The unit of an agent leaves its tasks alone, and nothing else stops them once the program is gone. */
    @Test
    void removalOfThePackage_whileAnAgentRuns_saysThatItsTasksGoOn() throws Exception {
        Path script = folder.resolve("prerm");
        Files.writeString(
                script,
                "systemctl() { return ${inactive-0}; }\n"
                        + Files.readString(DEPLOY.resolve("debian/prerm"))
                                .replace("/run/systemd/system", host.toString()));

        assertThat(run("sh", script.toString(), "remove")).contains("drain the machine");
        assertThat(run("sh", script.toString(), "upgrade")).isEmpty();
        assertThat(run("env", "inactive=3", "sh", script.toString(), "remove")).isEmpty();
    }

    private String mode(String file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(host.resolve(file));
        return PosixFilePermissions.toString(permissions);
    }

    /** An unpacked distribution whose program is one file. */
    private static Path unpack(Path distribution) throws Exception {
        Path program = distribution.resolve("bin/cella");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        run("cp", "-R", DEPLOY.toString(), distribution.toString());
        return distribution;
    }

    private void install(String umask, Path distribution) throws Exception {
        run(
                "sh",
                "-c",
                "umask " + umask + " && exec \"$0\" --root \"$1\"",
                distribution.resolve("deploy/install").toString(),
                host.toString());
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
