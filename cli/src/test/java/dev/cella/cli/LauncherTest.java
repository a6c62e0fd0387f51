package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.bench.cell.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code cella} in a checkout of its own, with a Maven that only notes that it was called and JDKs that only
 * print what they are given: what it decides, without what it takes.
 */
final class LauncherTest {
    private static final Path LAUNCHER = Path.of("../cella");
    private static final Pattern MODULE = Pattern.compile("<artifactId>cella-([a-z-]+)</artifactId>");

    /** What a build leaves behind, and a line in a file for each time it was asked for. */
    private static final String MAVEN = """
        #!/bin/sh
        [ "$1" != -v ] || { echo 'Apache Maven 3.8.7'; exit 0; }
        echo built >>builds.txt
        [ ! -e broken ] || { echo '[ERROR] X.java:[1,1] it is broken'; echo '[ERROR] -> [Help 1]'; exit 1; }
        mkdir -p cli/target/launcher/lib && : >cli/target/launcher/cella-cli.jar
        """;

    private static final String JAVA = "#!/bin/sh\nfor argument; do echo \"$argument\"; done\n";

    @TempDir
    private Path folder;

    private Path checkout;
    private Path jdk17;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = folder.resolve("checkout");
        writeFile("checkout/pom.xml", "<project/>");
        writeFile("checkout/cli/src/main/java/Main.java", "");
        script("checkout/cella", Files.readString(LAUNCHER));
        script("checkout/distribution/repository", "#!/bin/sh\n");
        script("checkout/distribution/maven", Files.readString(Path.of("../distribution/maven")));
        script("tools/mvn", MAVEN);
        jdk17 = jdk("jdk17", "17.0.15");
    }

    /** What a measurement starts is what a user starts. */
    @Test
    void server_getsTheFlagsThatServersAreMeasuredWith() throws Exception {
        assertThat(cella(Map.of(), "server").lines()).containsSubsequence(Servers.LAUNCHED);
    }

    @Test
    void partThatLivesForLong_countsSeldomForJstat() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        keepClasses();
        for (String part : List.of("server", "dev", "demo", "scheduler", "agent")) {
            assertThat(cella(Map.of(), part).lines()).as(part).contains("-XX:PerfDataSamplingInterval=1000");
            assertThat(unpacked(part).lines()).as(part).contains("-XX:PerfDataSamplingInterval=1000");
        }
    }

    /** In the locale C a JVM would give a task {@code Gr??e} in place of {@code Grüße}. A locale that a user chose stays. */
    @Test
    void inTheLocaleC_aJvmSpeaksUtf8() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        keepClasses();
        script("jdk17/bin/java", "#!/bin/sh\necho \"${LC_ALL-none}\"\n");
        assertThat(unpacked("agent").lines()).containsExactly("C.UTF-8");
        assertThat(cella(Map.of(), "agent").lines()).containsExactly("C.UTF-8");
        assertThat(cella(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C"), "agent").lines())
                .containsExactly("C.UTF-8");
        assertThat(cella(Map.of("LANG", "de_DE.UTF-8"), "agent").lines()).containsExactly("none");
    }

    /** A lock that stays would make each later start wait for ever. */
    @Test
    void aBuildThatFails_whereThereIsNoFlock_leavesNoLock() throws Exception {
        writeFile("checkout/broken", "");
        Path programs = Files.createDirectories(folder.resolve("without-flock"));
        for (String program : List.of(
                "sh", "awk", "cmp", "dirname", "find", "grep", "mkdir", "rm", "rmdir", "sed", "sleep", "stat")) {
            Files.createSymbolicLink(programs.resolve(program), Path.of("/usr/bin", program));
        }

        Run run = cella(Map.of("PATH", folder.resolve("tools") + ":" + programs), "--version");

        assertThat(run.code()).isEqualTo(1);
        assertThat(checkout.resolve(".cella/lock.folder")).doesNotExist();
    }

    /** The log and the store write their files themselves, with the mode that the process allows. */
    @Test
    void partThatKeepsFiles_writesThemForItsOwnUserAlone() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        keepClasses();
        script("jdk17/bin/java", "#!/bin/sh\numask\n");
        for (String part : List.of("server", "dev", "demo", "scheduler", "agent")) {
            assertThat(cella(Map.of(), part).lines()).as(part).containsExactly("0077");
            assertThat(unpacked(part).lines()).as(part).containsExactly("0077");
        }
    }

    /** A server holds its cell in 1 GiB, and these hold the cell and its backup. */
    @Test
    void commandThatReadsABackup_hasRoomForAWholeCell() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        for (String command : List.of("backup", "restore", "revive", "verify")) {
            assertThat(cella(Map.of(), "cell", command).lines()).as(command).contains("-Xmx2g");
            assertThat(unpacked("cell", command).lines()).as(command).contains("-Xmx2g");
        }
    }

    /** A replay and a shrinking run the same simulation as the run that found the fault. */
    @Test
    void simulationOfChaos_hasTheSameRoomInEachCommand() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        for (String command : List.of("run", "replay", "shrink")) {
            assertThat(cella(Map.of(), "chaos", command).lines()).as(command).contains("-Xmx2g");
            assertThat(unpacked("chaos", command).lines()).as(command).contains("-Xmx2g");
        }
    }

    @Test
    void distribution_keepsTheClassesOfAServer_andEveryPartThatIsOneTakesThem() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        keepClasses();
        Path kept = folder.resolve(".cache/cella");
        assertThat(kept).isDirectoryContaining("glob:**/server-17.0.15-*.jsa");
        Path classes = only(kept);
        assertThat(Files.readString(classes)).contains(" server ", " --rehearse ");

        assertThat(unpacked("bench").lines()).contains("-D" + Servers.CLASSES_PROPERTY + "=" + classes);
        for (String part : List.of("server", "dev", "demo")) {
            assertThat(unpacked(part).lines()).contains("-XX:SharedArchiveFile=" + classes, "-Xlog:cds=off");
        }
        assertThat(unpacked("server").lines()).containsSubsequence(Servers.LAUNCHED);
        assertThat(only(kept)).isEqualTo(classes);
    }

    /** All releases may give their jars the same time, and a JVM takes the classes of others with the same time and size. */
    @Test
    void distribution_keepsOtherClassesForAnotherProgramAtTheSamePlace_andForgetsThoseThatNobodyReads()
            throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        Path kept = folder.resolve(".cache/cella");
        writeFile("unpacked/lib/id", "first\n");
        keepClasses();
        Path first = only(kept);

        writeFile("unpacked/lib/id", "second\n");
        keepClasses();

        assertThat(kept).isDirectoryContaining("glob:**/server-17.0.15-second-*.jsa");
        assertThat(first).exists();
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(40)));
        Files.getFileAttributeView(first, BasicFileAttributeView.class).setTimes(null, longAgo, null);
        writeFile("unpacked/lib/id", "third\n");
        keepClasses();
        assertThat(first).doesNotExist();
        assertThat(kept).isDirectoryContaining("glob:**/server-17.0.15-second-*.jsa");
    }

    /** The classes are kept in the background. A reader of the whole output of a refused server does not wait for that. */
    @Test
    @Timeout(120)
    void distribution_whileItKeepsClasses_holdsNoOutputOpen() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        Path go = folder.resolve("go");
        assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor())
                .isZero();
        script("jdk17/bin/java", """
            #!/bin/sh
            case $* in
                *ArchiveClassesAtExit*) exec <%s ;;
                *) echo refused ;;
            esac
            """.formatted(go));

        assertThat(unpacked("server").lines()).containsExactly("refused");

        Files.writeString(go, "");
        await().untilAsserted(() ->
                assertThat(only(folder.resolve(".cache/cella"))).asString().endsWith(".jsa.failed"));
    }

    /** Each command would otherwise take twice its time, for ever. */
    @Test
    void distribution_whereClassesCannotBeKept_triesAgainADayLater() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        script(
                "jdk17/bin/java",
                "#!/bin/sh\ncase $* in *ArchiveClassesAtExit*) echo tried >>../../../tries.txt ;; esac\n");

        unpacked("--version");
        unpacked("--version");
        assertThat(folder.resolve("tries.txt")).hasContent("tried");

        Path failed = only(folder.resolve(".cache/cella"));
        Files.setLastModifiedTime(failed, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        unpacked("--version");
        assertThat(folder.resolve("tries.txt")).hasContent("tried\ntried");
    }

    /** Root would make a directory at the root of the disk. */
    @Test
    void distribution_withoutAHome_keepsNoClasses() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        script("jdk17/bin/java", "#!/bin/sh\necho \"$*\" >>'" + folder + "/started.txt'\n");

        finish(start(Map.of("HOME", ""), folder.resolve("unpacked/bin/cella"), "--version"));

        assertThat(Files.readAllLines(folder.resolve("started.txt")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .endsWith("dev.cella.cli.Main --version");
        assertThat(Path.of("/nowhere")).doesNotExist();
    }

    /** Keeps the classes of a server, by a Java that writes at its end what it is told to. Later parts start nothing beside. */
    private void keepClasses() throws Exception {
        script("jdk17/bin/java", """
            #!/bin/sh
            for argument; do
                case $argument in -XX:ArchiveClassesAtExit=*) echo "$*" >"${argument#*=}" ;; esac
                echo "$argument"
            done
            """);
        assertThat(unpacked("bench").messages()).isEmpty();
    }

    private Run unpacked(String... words) throws Exception {
        return finish(start(Map.of(), folder.resolve("unpacked/bin/cella"), words));
    }

    private static Path only(Path parent) throws IOException {
        try (Stream<Path> files = Files.list(parent)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    /**
     * A server starts with its classes mapped from the archive, if there is one, and a measurement is told where it
     * is.
     */
    @Test
    void server_takesItsClassesFromTheBuildsArchive_andABenchmarkGetsThePath() throws Exception {
        assertThat(cella(Map.of(), "server").lines()).noneMatch(flag -> flag.contains("SharedArchiveFile"));
        Path classes = checkout.toRealPath().resolve(".cella/builds/1/server-17.0.15.jsa");
        Files.writeString(classes, "");

        for (String part : List.of("server", "dev", "demo")) {
            assertThat(cella(Map.of(), part).lines()).contains("-XX:SharedArchiveFile=" + classes, "-Xlog:cds=off");
        }
        assertThat(cella(Map.of(), "bench").lines()).contains("-D" + Servers.CLASSES_PROPERTY + "=" + classes);
        assertThat(cella(Map.of(), "agent").lines()).noneMatch(flag -> flag.contains("SharedArchiveFile"));
    }

    @Test
    void theFirstStart_buildsOnce_andTheNextOnesDoNot() throws Exception {
        Run first = cella(Map.of(), "--version");
        Run second = cella(Map.of(), "--version");

        assertThat(first.messages()).contains("building Cella, this once");
        assertThat(second.messages()).isEmpty();
        assertThat(second.lines()).endsWith("dev.cella.cli.Main", "--version");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void aNewerSource_isBuilt_besideTheBuildThatMayStillRun() throws Exception {
        cella(Map.of(), "--version");
        Files.setLastModifiedTime(
                checkout.resolve("cli/src/main/java/Main.java"),
                FileTime.from(Instant.now().plusSeconds(5)));

        Run run = cella(Map.of(), "--version");

        assertThat(run.messages()).contains("the sources are not those of the last build");
        assertThat(builds()).isEqualTo(2);
        assertThat(checkout.resolve(".cella/builds/1")).exists();
        assertThat(run.output()).contains(checkout.toRealPath() + "/.cella/builds/2/cella-cli.jar");
    }

    /** As in an archive that is unpacked over a checkout. Maven would take the newer class of the earlier source. */
    @Test
    void anotherSource_thatIsOlderThanTheBuild_isBuilt_withoutTheClassesOfItsModule() throws Exception {
        cella(Map.of(), "--version");
        writeFile("checkout/cli/target/launcher/classes/Main.class", "");
        writeFile("checkout/chaos/target/launcher/classes/Main.class", "");
        Path source = checkout.resolve("cli/src/main/java/Main.java");
        Files.writeString(source, "class Main {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().minus(Duration.ofDays(2))));

        cella(Map.of(), "--version");

        assertThat(builds()).isEqualTo(2);
        assertThat(checkout.resolve("cli/target/launcher/classes/Main.class")).doesNotExist();
        assertThat(checkout.resolve("chaos/target/launcher/classes/Main.class")).exists();
    }

    @Test
    void aSourceThatIsGone_isNotInTheNextBuild() throws Exception {
        writeFile("checkout/cli/src/main/java/Other.java", "");
        cella(Map.of(), "--version");
        Files.delete(checkout.resolve("cli/src/main/java/Other.java"));

        cella(Map.of(), "--version");

        assertThat(builds()).isEqualTo(2);
        assertThat(cella(Map.of(), "--version").messages()).isEmpty();
    }

    /** Two versions of one jar on the class path are a mix of both. */
    @Test
    void aBuild_hasNoJarThatOnlyAnEarlierBuildHad() throws Exception {
        writeFile("checkout/cli/target/launcher/lib/older-1.jar", "");

        cella(Map.of(), "--version");

        assertThat(checkout.resolve(".cella/builds/1/lib")).isEmptyDirectory();
    }

    @Test
    void aMavenThatIsTooOld_isPassedOverForTheWrapper_andWithoutOneNothingIsBuilt() throws Exception {
        script("tools/mvn", "#!/bin/sh\necho 'Apache Maven 3.8.6'\n");

        Run refused = cella(Map.of(), "--version");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.messages())
                .contains("error: neither Maven 3.8.7 or later nor the wrapper", "hint:  install");
        script("checkout/mvnw", MAVEN);
        assertThat(cella(Map.of(), "--version").lines()).endsWith("dev.cella.cli.Main", "--version");
        assertThat(builds()).isEqualTo(1);
    }

    /** A module that is left out is only built when another one has changed. */
    @Test
    void everyModuleOfTheCommand_isLookedThrough() throws IOException {
        String looked = Files.readString(LAUNCHER)
                .lines()
                .filter(line -> line.startsWith("modules='"))
                .findFirst()
                .orElseThrow();
        List<String> words = List.of(looked.split("[' ]", -1));
        Matcher module = MODULE.matcher(Files.readString(Path.of("pom.xml")));
        List<String> needed = module.results().map(found -> found.group(1)).toList();
        assertThat(needed).contains("cli", "chaos");
        assertThat(words).containsAll(needed);
    }

    @Test
    void aBuildThatFails_saysTheErrorAndWhereTheLogIs_andEndsWithOne() throws Exception {
        writeFile("checkout/broken", "");

        Run run = cella(Map.of(), "--version");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.messages())
                .contains("error: building Cella failed", "X.java:[1,1] it is broken")
                .contains("the whole log is " + checkout.toRealPath() + "/.cella/build.log")
                .doesNotContain("Help 1");
    }

    @Test
    void aBuildThatCannotBeKept_saysSo_andTheNextStartBuildsAgain() throws Exception {
        script("tools/cp", "#!/bin/sh\nexit 1\n");

        Run refused = cella(Map.of(), "--version");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.messages()).contains("error: the build could not be kept in ", "hint:  make room");
        assertThat(checkout.resolve(".cella/builds/1")).doesNotExist();
        Files.delete(folder.resolve("tools/cp"));
        Files.createDirectories(checkout.resolve(".cella/current.next/which-nobody-can-write"));
        assertThat(cella(Map.of(), "--version").messages()).contains("error: the build could not be kept in ");
        assertThat(cella(Map.of(), "--version").lines()).endsWith("dev.cella.cli.Main", "--version");
        assertThat(builds()).isEqualTo(3);
    }

    @Test
    void aBuildOfWhichAPartIsGone_isRefused_withWhatToDo() throws Exception {
        cella(Map.of(), "--version");
        Files.writeString(checkout.resolve(".cella/current"), "");

        Run refused = cella(Map.of(), "--version");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.messages()).contains("is not whole", "hint:  remove it (rm -r ");
    }

    /** A file stands for a folder of root's, because tests of root may write everywhere. */
    @Test
    void whereTheFolderOfBuildsCannotBeWrittenTo_thatFolderIsNamed() throws Exception {
        writeFile("checkout/.cella", "");

        Run refused = cella(Map.of(), "--version");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.messages())
                .contains(
                        "error: Cella is not built yet, and " + checkout.toRealPath() + "/.cella cannot be written to")
                .contains("hint:  in a checkout of your own: sudo rm -rf ");
    }

    @Test
    void twoAtOnce_buildOnce() throws Exception {
        Process one = start(Map.of(), checkout.resolve("cella"), "--version");
        Process two = start(Map.of(), checkout.resolve("cella"), "--version");

        assertThat(one.waitFor()).isZero();
        assertThat(two.waitFor()).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void throughLinks_fromAnotherFolder_itFindsItsCheckout() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("first"), Path.of("checkout/cella"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), link);

        Run run = finish(start(Map.of(), second, "--version"));

        assertThat(run.output()).contains(checkout.toRealPath() + "/.cella/builds/1/cella-cli.jar");
    }

    @Test
    void jdk17_isSparedTheFlagsThatStopIt_andJdk25GetsThem() throws Exception {
        String unsafe = "--sun-misc-unsafe-memory-access=allow";

        assertThat(cella(Map.of(), "dev").lines()).doesNotContain(unsafe);
        assertThat(cella(Map.of("CELLA_JAVA_HOME", jdk("jdk25", "25.0.3").toString()), "dev")
                        .lines())
                .contains(unsafe, "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void arguments_arePassedOnWhole() throws Exception {
        assertThat(cella(Map.of(), "job", "logs", "two words", "*").lines()).endsWith("job", "logs", "two words", "*");
    }

    @Test
    void aJavaThatWasNamedAndIsUnfit_isRefused() throws Exception {
        Path jdk11 = jdk("jdk11", "11.0.20");
        Path runtime = jdk("runtime", "21");
        Files.delete(runtime.resolve("bin/javac"));

        assertThat(cella(Map.of("CELLA_JAVA_HOME", jdk11.toString()), "dev").messages())
                .contains("error: CELLA_JAVA_HOME is Java 11, and Cella needs 17 or later", "hint:");
        assertThat(cella(Map.of("CELLA_JAVA_HOME", runtime.toString()), "dev").messages())
                .contains("error: CELLA_JAVA_HOME has no javac", "hint:");
        assertThat(cella(Map.of("CELLA_JAVA_HOME", "/nowhere"), "dev").messages())
                .contains("error: CELLA_JAVA_HOME is /nowhere, and there is no bin/java in it", "hint:");
        assertThat(builds()).isZero();
    }

    /** Another Java than the one that was named would run without a word. */
    @Test
    void distribution_refusesAJavaThatWasNamedAndIsUnfit() throws Exception {
        script("unpacked/bin/cella", Files.readString(Path.of("../distribution/cella")));
        Path unpacked = folder.resolve("unpacked/bin/cella");
        Path jdk11 = jdk("jdk11", "11.0.20");

        Run nowhere = finish(start(Map.of("CELLA_JAVA_HOME", "/nowhere"), unpacked, "agent"));
        Run older = finish(start(Map.of("CELLA_JAVA_HOME", jdk11.toString()), unpacked, "agent"));

        assertThat(nowhere.messages())
                .contains("error: CELLA_JAVA_HOME is /nowhere, and there is no bin/java in it", "hint:");
        assertThat(older.messages())
                .contains("error: CELLA_JAVA_HOME is Java 11, and Cella needs 17 or later", "hint:");
        assertThat(List.of(nowhere.code(), older.code())).containsExactly(1, 1);
    }

    /** What a run printed and how it ended. */
    private record Run(String output, String messages, int code) {
        List<String> lines() {
            return output.lines().toList();
        }
    }

    private Run cella(Map<String, String> variables, String... arguments) throws Exception {
        return finish(start(variables, checkout.resolve("cella"), arguments));
    }

    private Process start(Map<String, String> variables, Path launcher, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", folder.resolve("tools") + ":/usr/bin:/bin",
                        "HOME", folder.toString(),
                        "JAVA_HOME", jdk17.toString()));
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static Run finish(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String messages = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(output, messages, process.waitFor());
    }

    private long builds() throws IOException {
        Path noted = checkout.resolve("builds.txt");
        return Files.exists(noted) ? Files.readAllLines(noted).size() : 0;
    }

    private Path jdk(String name, String version) throws IOException {
        writeFile(name + "/release", "JAVA_VERSION=\"" + version + "\"\n");
        script(name + "/bin/java", JAVA);
        script(name + "/bin/javac", JAVA);
        return folder.resolve(name);
    }

    private void script(String path, String text) throws IOException {
        writeFile(path, text);
        assertThat(folder.resolve(path).toFile().setExecutable(true)).isTrue();
    }

    private void writeFile(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
