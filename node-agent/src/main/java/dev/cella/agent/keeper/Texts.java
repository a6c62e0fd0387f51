package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Texts of any length among binary data: the number of bytes, and the text in UTF-8. {@link DataOutputStream#writeUTF} takes at
 * most 65,535 bytes, and an argument of a task is longer if its placeholders stand for long names.
 */
public final class Texts {
    private Texts() {}

    /** Writes one. */
    public static void write(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads one. */
    public static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("a text of " + length + " bytes ends after " + bytes.length);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
