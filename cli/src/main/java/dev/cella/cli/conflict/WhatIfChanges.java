package dev.cella.cli.conflict;

import com.google.protobuf.util.Durations;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.DurationOption;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.ReplayConflictsRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/** {@code --what-if NAME=VALUE}: settings of the server's own, and options of a scheduler type. */
final class WhatIfChanges {
    private static final String EXAMPLE = "--what-if conflict-rule=resource";

    private final ReplayConflictsRequest.Builder request;
    private final List<String> options = new ArrayList<>();

    private WhatIfChanges(ReplayConflictsRequest.Builder request) {
        this.request = request;
    }

    /** Adds these changes to the request. */
    static void add(Map<String, String> changes, ReplayConflictsRequest.Builder request) {
        WhatIfChanges adding = new WhatIfChanges(request);
        changes.forEach(adding::add);
        if (!adding.options.isEmpty()) {
            request.setOptions(String.join(",", adding.options));
        }
    }

    private void add(String name, String value) {
        switch (name) {
            case "conflict-rule" ->
                request.setConflictRule(word("conflict rule", "CONFLICT_RULE_", value, ConflictRule.class));
            case "atomicity" -> request.setAtomicity(word("atomicity", "ATOMICITY_", value, Atomicity.class));
            case "instances" -> request.setInstances(instances(value));
            case "type" -> request.setType(value);
            case "decision-time" -> request.setDecisionTime(decisionTime(value));
            default -> options.add(name + "=" + value);
        }
    }

    private static <E extends Enum<E>> E word(String what, String prefix, String typed, Class<E> words) {
        String name = prefix + typed.toUpperCase(Locale.ROOT).replace('-', '_');
        List<E> known = Arrays.stream(words.getEnumConstants())
                .filter(each ->
                        !each.name().endsWith("UNSPECIFIED") && !each.name().equals("UNRECOGNIZED"))
                .toList();
        return known.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage(
                        "there is no " + what + " " + typed,
                        "one of "
                                + String.join(
                                        ", ",
                                        known.stream()
                                                .map(each -> each.name()
                                                        .substring(prefix.length())
                                                        .toLowerCase(Locale.ROOT)
                                                        .replace('_', '-'))
                                                .toList())));
    }

    private static int instances(String typed) {
        try {
            return Integer.parseInt(typed);
        } catch (NumberFormatException notANumber) {
            throw CommandFailure.usage("instances is a whole number, not " + typed, "--what-if instances=4");
        }
    }

    private static com.google.protobuf.Duration decisionTime(String typed) {
        try {
            return Durations.fromMillis(DurationOption.parse(typed).toMillis());
        } catch (TypeConversionException noDuration) {
            throw CommandFailure.usage(String.valueOf(noDuration.getMessage()), EXAMPLE);
        }
    }
}
