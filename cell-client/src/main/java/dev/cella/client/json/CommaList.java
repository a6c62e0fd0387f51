package dev.cella.client.json;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Texts with commas between them. After a backslash, a comma or a backslash is a part of its text. */
final class CommaList {
    private CommaList() {}

    static String write(List<String> texts) {
        return texts.stream()
                .map(text -> text.replace("\\", "\\\\").replace(",", "\\,"))
                .collect(Collectors.joining(","));
    }

    static List<String> read(String list) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int place = 0; place < list.length(); place++) {
            char each = list.charAt(place);
            if (each == ',') {
                texts.add(text.toString());
                text.setLength(0);
            } else {
                place += isEscape(list, place) ? 1 : 0;
                text.append(list.charAt(place));
            }
        }
        texts.add(text.toString());
        return texts;
    }

    /** Any other backslash is itself. */
    private static boolean isEscape(String list, int place) {
        return list.startsWith("\\,", place) || list.startsWith("\\\\", place);
    }
}
