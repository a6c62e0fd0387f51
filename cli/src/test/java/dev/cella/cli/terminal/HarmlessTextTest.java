package dev.cella.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HarmlessTextTest {
    private static final String HARMFUL = "a\u001b]0;title\u0007b\r\u007f\u009b2Jc\tä\u00a0\n";

    @Test
    void pass_toATerminal_showsControlCharactersInCaretNotation() {
        assertThat(new HarmlessText(true).pass(HARMFUL)).isEqualTo("a^[]0;title^Gb^M^?^[2Jc\tä\u00a0\n");
    }

    @Test
    void pass_toAPipe_leavesEveryByte() {
        assertThat(new HarmlessText(false).pass(HARMFUL)).isEqualTo(HARMFUL);
    }

    @Test
    void pass_aCharacterThatIsCutInTwo_isReadAsOne() {
        HarmlessText text = new HarmlessText(true);
        byte[] bytes = "\u009b".getBytes(UTF_8);

        byte[] first = text.pass(new byte[] {bytes[0]}, 1);
        byte[] second = text.pass(new byte[] {bytes[1]}, 1);

        assertThat(first).isEmpty();
        assertThat(new String(second, UTF_8)).isEqualTo("^[");
    }
}
