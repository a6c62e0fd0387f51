package dev.cella.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogAddressTest {
    @Test
    void parse_ofAnAddress_hasItsPortOrAny() {
        assertThat(LogAddress.parse("https://127.0.0.1:7072").port()).isEqualTo(7072);
        assertThat(LogAddress.parse("http://127.0.0.1").port()).isZero();
        assertThat(LogAddress.parse("http://[::1]:7072").host()).isEqualTo("[::1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:7072", "http://a b", "7072", "ftp://127.0.0.1:7072", "http://127.0.0.1/logs", ""})
    void parse_ofAnythingElse_saysHowItIsWritten(String text) {
        assertThatThrownBy(() -> LogAddress.parse(text)).hasMessage("must be http://host:port, is " + text);
    }

    /** Debian gives a machine's own name the address 127.0.1.1. */
    @Test
    void hostName_thatIsLoopbackHere_isRefused() throws UnknownHostException {
        InetAddress loopback = InetAddress.getByName("127.0.1.1");
        assertThatThrownBy(() -> LogAddress.refuseHidden("m1", loopback))
                .hasMessage("names m1, which this machine takes for 127.0.1.1 (/etc/hosts):"
                        + " give the address at which the servers reach it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:7072", "http://127.0.1.1:7072", "http://[::1]:7072"})
    void loopback_thatIsNamedAsThat_isTaken(String text) {
        assertThat(LogAddress.parse(text).listens().isLoopbackAddress()).isTrue();
    }
}
