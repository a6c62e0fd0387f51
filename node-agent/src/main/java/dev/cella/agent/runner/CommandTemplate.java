package dev.cella.agent.runner;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fills in what a command leaves open: <code>${name}</code> by its value, <code>$${</code> by <code>${</code>. */
final class CommandTemplate {
    private static final Pattern OPEN = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)}");

    private CommandTemplate() {}

    /** Throws {@link IllegalArgumentException} for a name that has no value. */
    static List<String> fill(List<String> command, Map<String, String> values) {
        return command.stream()
                .map(argument ->
                        OPEN.matcher(argument).replaceAll(match -> Matcher.quoteReplacement(value(match, values))))
                .toList();
    }

    private static String value(MatchResult match, Map<String, String> values) {
        String name = match.group(1);
        if (name == null) {
            return "${";
        }
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no ${" + name + "} to fill in");
        }
        return value;
    }
}
