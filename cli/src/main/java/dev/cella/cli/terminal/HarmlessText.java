package dev.cella.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * Makes tasks' output harmless for a terminal: an escape sequence could set its title, overwrite earlier lines, or answer for
 * the user. All control characters but line feeds and tabs are shown as {@code ^[}. In a pipe the bytes pass unchanged.
 */
public final class HarmlessText {
    private static final int C1_LEAD = 0xC2;
    private static final int C1_FIRST = 0x80;
    private static final int C1_LAST = 0x9F;
    private static final int DELETE = 0x7F;
    private static final int CARET_OFFSET = 0x40;

    private final boolean terminal;
    private boolean leadHeldBack;

    public HarmlessText(boolean terminal) {
        this.terminal = terminal;
    }

    public String pass(String line) {
        byte[] bytes = line.getBytes(UTF_8);
        return terminal ? new String(pass(bytes, bytes.length), UTF_8) : line;
    }

    /** A text that stays within its line: line feeds and tabs are shown in the same way, in a pipe too. */
    public static String word(String text) {
        return new HarmlessText(true).pass(text).replace("\n", "^J").replace("\t", "^I");
    }

    /** The next bytes; a character may begin in one call and end in the next. */
    public byte[] pass(byte[] bytes, int count) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(count + 1);
        for (int place = 0; place < count; place++) {
            pass(Byte.toUnsignedInt(bytes[place]), out);
        }
        return out.toByteArray();
    }

    private void pass(int next, ByteArrayOutputStream out) {
        if (!terminal) {
            out.write(next);
            return;
        }
        if (leadHeldBack) {
            leadHeldBack = false;
            if (next >= C1_FIRST && next <= C1_LAST) {
                caret(next - C1_FIRST, out);
                return;
            }
            out.write(C1_LEAD);
        }
        if (next == C1_LEAD) {
            leadHeldBack = true;
        } else if (next == DELETE) {
            caret(-1, out);
        } else if (next < ' ' && next != '\n' && next != '\t') {
            caret(next, out);
        } else {
            out.write(next);
        }
    }

    /** A delete is {@code ^?}, by tradition. */
    private static void caret(int control, ByteArrayOutputStream out) {
        out.write('^');
        out.write(control < 0 ? '?' : control + CARET_OFFSET);
    }
}
