package dev.cella.cli.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Environment;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.client.CellAddresses;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CellAddressTest {
    @TempDir
    private Path home;

    @Test
    void choose_takesTheFlagBeforeTheVariableBeforeTheNewestDevBeforeTheDefault() throws IOException {
        Environment bare = user(Map.of());
        Environment set = user(Map.of("CELLA_ADDRESS", "http://variable:1"));

        assertThat(CellAddress.choose(Optional.empty(), "--address", bare))
                .isEqualTo(CellAddresses.of(CellAddress.DEFAULT));

        new RunningDevs(bare).announce(RunningDev.ofThisProcess(cell("http://127.0.0.1:7171"), home));

        assertThat(CellAddress.choose(Optional.empty(), "--address", bare)).isEqualTo(cell("http://127.0.0.1:7171"));
        assertThat(CellAddress.choose(Optional.empty(), "--address", set)).isEqualTo(cell("http://variable:1"));
        assertThat(CellAddress.choose(Optional.of("http://flag:1"), "--address", set))
                .isEqualTo(cell("http://flag:1"));
    }

    @Test
    void choose_addsTheSchemeThatPeopleLeaveOut() {
        assertThat(CellAddress.choose(Optional.of("localhost:7070/"), "--address", user(Map.of())))
                .isEqualTo(cell("http://localhost:7070"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x", "http://", "http://x/v1", "http://a b", "://", "http://a:1,,http://b:2"})
    void choose_whatIsNoAddress_isWrongUsage(String typed) {
        assertThatThrownBy(() -> CellAddress.choose(Optional.of(typed), "--address", user(Map.of())))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    /** It would be printed with the address, and nothing would use it. */
    @ParameterizedTest
    @ValueSource(strings = {"http://me:secret@a:1", "me:secret@a:1", "http://a:1,http://me:sec ret@b:2"})
    void choose_passwordInAnAddress_isRefused_andNotPrinted(String typed) {
        assertThatThrownBy(() -> CellAddress.choose(Optional.of(typed), "--address", user(Map.of())))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("--address has a user's name or a password, and a cell takes neither");
    }

    @Test
    void choose_takesSeveralServersOfOneCell() {
        assertThat(CellAddress.choose(Optional.of("http://a:1, b:2,http://c:3"), "--address", user(Map.of())))
                .isEqualTo(cell("http://a:1", "http://b:2", "http://c:3"));
    }

    private static CellAddresses cell(String... addresses) {
        return new CellAddresses(Arrays.stream(addresses).map(URI::create).toList());
    }

    private Environment user(Map<String, String> variables) {
        return new Environment(variables, home, home, InstantSource.system());
    }
}
