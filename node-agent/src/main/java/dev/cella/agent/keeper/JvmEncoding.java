package dev.cella.agent.keeper;

import java.util.List;

/**
 * The encoding in which a JVM writes the arguments of processes that it starts: that of its locale. In many services that is
 * ASCII, which turns each other letter into a question mark.
 */
public record JvmEncoding(String name) {
    /** That of this process. */
    public static JvmEncoding own() {
        return new JvmEncoding(System.getProperty("sun.jnu.encoding", ""));
    }

    boolean isUtf8() {
        return name.equals("UTF-8");
    }

    /** Returns whether a process gets these words as it would get them from a keeper, which writes UTF-8. */
    public boolean writesAsUtf8(List<String> words) {
        return isUtf8() || isAscii(words);
    }

    static boolean isAscii(List<String> words) {
        return words.stream().flatMapToInt(String::chars).allMatch(letter -> letter < 128);
    }
}
