package dev.cella.cli.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.Environment;
import dev.cella.client.CellAddresses;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunningDevsTest {
    /** Larger than any process id that Linux gives out. */
    private static final long NO_PROCESS = 1L << 40;

    @TempDir
    private Path home;

    private RunningDevs devs;
    private RunningDev self;

    @BeforeEach
    void announceNothingYet() {
        devs = new RunningDevs(new Environment(Map.of(), home, home, InstantSource.system()));
        self = RunningDev.ofThisProcess(CellAddresses.of(URI.create("http://127.0.0.1:7070")), home.resolve("data"));
    }

    @Test
    void newest_beforeAnyWasStarted_isAbsent() {
        assertThat(devs.newest()).isEmpty();
    }

    @Test
    void announced_isFoundByItsPort_untilWithdrawn() throws IOException {
        devs.announce(self);

        assertThat(devs.newest()).contains(self);
        assertThat(devs.onPort(7070)).contains(self);
        assertThat(devs.onPort(7071)).isEmpty();

        devs.withdraw(self);

        assertThat(devs.newest()).isEmpty();
    }

    @Test
    void devOfSeveralServers_isFoundByThePortOfEach_andCommandsKnowThemAll() throws IOException {
        CellAddresses servers =
                new CellAddresses(List.of(URI.create("http://127.0.0.1:7070"), URI.create("http://127.0.0.1:9001")));
        devs.announce(RunningDev.ofThisProcess(servers, home.resolve("data")));

        assertThat(devs.newest().map(RunningDev::addresses)).contains(servers);
        assertThat(devs.onPort(9001)).isPresent();
        assertThat(devs.at(URI.create("http://localhost:9001"))).isPresent();
    }

    @Test
    void notesOfKilledProcesses_areSkipped_andRemovedByTheNext() throws IOException {
        devs.announce(new RunningDev(NO_PROCESS, 0, self.addresses(), self.data()));

        assertThat(devs.newest()).isEmpty();

        devs.announce(self);

        assertThat(runFolder()).isDirectoryNotContaining("glob:**" + NO_PROCESS + "*");
    }

    @Test
    void aProcessIdThatWasGivenAwayAgain_isNotTheDevThatHadIt() throws IOException {
        devs.announce(new RunningDev(self.processId(), self.startTicks() - 1, self.addresses(), self.data()));

        assertThat(devs.newest()).isEmpty();
    }

    /** A step of the wall clock moves the start times that a JDK tells. */
    @Test
    void noteOfADev_saysNothingOfTheWallClock() throws IOException {
        devs.announce(self);

        Properties note = new Properties();
        try (Reader reader = Files.newBufferedReader(runFolder().resolve(self.processId() + ".properties"))) {
            note.load(reader);
        }
        assertThat(note.stringPropertyNames()).containsExactlyInAnyOrder("startTicks", "address", "data");
        assertThat(note).containsEntry("startTicks", Long.toString(self.startTicks()));
    }

    @Test
    void foreignFile_isSkipped() throws IOException {
        devs.announce(self);
        Files.writeString(runFolder().resolve("notes.properties"), "hello");

        assertThat(devs.newest()).contains(self);
    }

    private Path runFolder() {
        return home.resolve(".local/share/cella/run");
    }
}
