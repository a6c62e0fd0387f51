package dev.cella.cli.job;

import com.google.protobuf.ProtocolMessageEnum;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Words;
import dev.cella.client.json.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parses states in any case. */
final class StateWords {
    private static final String UNRECOGNIZED = "UNRECOGNIZED";

    private StateWords() {}

    static <E extends Enum<E> & ProtocolMessageEnum> E parse(
            String option, String typed, Class<E> type, E unspecified) {
        List<E> states = Arrays.stream(type.getEnumConstants())
                .filter(state -> state != unspecified && !state.name().equals(UNRECOGNIZED))
                .toList();
        return states.stream()
                .filter(state -> Words.word(state).equalsIgnoreCase(typed))
                .findFirst()
                .orElseThrow(() -> unknown(option, typed, states));
    }

    private static <E extends Enum<E> & ProtocolMessageEnum> CommandFailure unknown(
            String option, String typed, List<E> states) {
        List<String> words = states.stream()
                .map(state -> Words.word(state).toLowerCase(Locale.ROOT))
                .toList();
        return CommandFailure.usage(
                option + " is no state: '" + typed + "'",
                NearestName.to(typed, words)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("one of " + words.stream().collect(Collectors.joining(", "))));
    }
}
