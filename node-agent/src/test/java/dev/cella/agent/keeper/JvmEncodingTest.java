package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmEncodingTest {
    @Test
    void lettersOutsideAscii_areWrittenAsUtf8_onlyWhereThatIsTheEncoding() {
        List<String> words = List.of("echo", "gr\u00fcn");
        assertThat(new JvmEncoding("UTF-8").writesAsUtf8(words)).isTrue();
        assertThat(new JvmEncoding("ANSI_X3.4-1968").writesAsUtf8(words)).isFalse();
        assertThat(new JvmEncoding("ISO-8859-15").writesAsUtf8(words)).isFalse();
        assertThat(new JvmEncoding("ANSI_X3.4-1968").writesAsUtf8(List.of("echo", "green")))
                .isTrue();
    }
}
