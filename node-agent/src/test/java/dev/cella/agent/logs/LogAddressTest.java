package dev.cella.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
