package dev.cella.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sentences of a file that people read: comments, messages and test names of a source, and the text of a page. Code,
 * links and markup are left out.
 */
final class Prose {
    private static final Pattern COMMENT =
            Pattern.compile("/\\*(.*?)\\*/|(?<![:\"\\w])//(.*?)$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern MARKUP = Pattern.compile("<[^>]+>|\\{@\\w+ |\\}");
    private static final Pattern TAG = Pattern.compile("@(param \\S+|return)");
    private static final Pattern JOINED_TEXT = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern TEST_NAME = Pattern.compile("void (\\w+)\\(");
    private static final Pattern CODE_BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern PAGE_PARTS = Pattern.compile("\\n\\s*\\n|\\n(?=[-|#*])|\\s\\|\\s");
    private static final Pattern SENTENCE_ENDS = Pattern.compile("(?<=[.;:!?])\\s+(?=[A-Z*`{\"(])");
    private static final int MESSAGE_WORDS_MIN = 4;
    /** Stands for the value before the rest of a message, so that the rest is not taken for a whole sentence. */
    private static final String CONTINUED = "X";

    private final List<String> sentences = new ArrayList<>();

    private Prose() {}

    static List<String> of(Path file) throws IOException {
        Prose prose = new Prose();
        String text = Files.readString(file);
        if (file.toString().endsWith(".java") || file.toString().endsWith(".proto")) {
            prose.addSource(text);
        } else {
            prose.addPage(text);
        }
        return prose.sentences;
    }

    private void addSource(String source) {
        Matcher comments = COMMENT.matcher(source);
        while (comments.find()) {
            String comment = comments.group(1) == null ? comments.group(2) : comments.group(1);
            String bare = comment.replaceAll("\\n\\s*\\* ?", "\n").replaceFirst("^\\*", "");
            String plain = TAG.matcher(MARKUP.matcher(bare).replaceAll(" ")).replaceAll(". ");
            Stream.of(plain.split("\\n\\s*\\n")).forEach(this::addSentences);
        }
        String code =
                JOINED_TEXT.matcher(COMMENT.matcher(source).replaceAll("")).replaceAll("");
        Matcher texts = TEXT.matcher(code);
        while (texts.find()) {
            if (texts.group(1).split(" ", -1).length >= MESSAGE_WORDS_MIN) {
                addSentences(texts.group(1).startsWith(" ") ? CONTINUED + texts.group(1) : texts.group(1));
            }
        }
        Matcher names = TEST_NAME.matcher(code);
        while (names.find()) {
            addSentences(names.group(1)
                    .replaceAll("_", ". ")
                    .replaceAll("(?<=[a-z])(?=[A-Z])|(?<=A)(?=[A-Z][a-z])", " ")
                    .toLowerCase(Locale.ROOT));
        }
    }

    private void addPage(String page) {
        String text = CODE_BLOCK.matcher(page).replaceAll("");
        for (String part : PAGE_PARTS.split(text, -1)) {
            addSentences(CODE.matcher(part).replaceAll("X").replaceFirst("^[-|#* ]+", ""));
        }
    }

    private void addSentences(String text) {
        for (String sentence : SENTENCE_ENDS.split(text.replaceAll("\\s+", " ").strip(), -1)) {
            String bare = sentence.replaceFirst("^[ *\"]+", "");
            if (!bare.isEmpty()) {
                sentences.add(Character.toUpperCase(bare.charAt(0)) + bare.substring(1));
            }
        }
    }
}
