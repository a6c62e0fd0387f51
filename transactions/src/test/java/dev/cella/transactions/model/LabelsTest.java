package dev.cella.transactions.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Names are valid exactly if they match the patterns in the messages. */
final class LabelsTest {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");
    private static final Pattern MACHINE_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final Pattern POOL = Pattern.compile(NAME + "(/" + NAME + ")*");
    private static final String CHARACTERS = "az09.-/AZ_ {`:\u00e4";
    private static final long SEED = 20;

    @Test
    void shortTexts_areNamesJustWhereThePatternMatches() {
        Random random = new Random(SEED);
        for (int round = 0; round < 50_000; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(8);
            for (int place = 0; place < length; place++) {
                text.append(CHARACTERS.charAt(random.nextInt(random.nextBoolean() ? 7 : CHARACTERS.length())));
            }
            agree(text.toString());
        }
    }

    @Test
    void lengths_endWhereThePatternsEnd() {
        for (int length : new int[] {61, 62, 63, 64, 65, 251, 252, 253, 254, 255}) {
            agree("a".repeat(length));
            agree("a" + ".".repeat(length - 2) + "a");
            agree("b/" + "a".repeat(length));
            agree("a".repeat(length) + "/b");
        }
    }

    @Test
    void pool_isWithinItselfAndThoseAboveIt() {
        assertThat(Labels.isPoolWithin("research/vision", "research/vision")).isTrue();
        assertThat(Labels.isPoolWithin("research/vision", "research")).isTrue();
        assertThat(Labels.isPoolWithin("research", "research/vision")).isFalse();
        assertThat(Labels.isPoolWithin("researchers", "research")).isFalse();
    }

    private static void agree(String text) {
        assertThat(isAccepted(name -> Labels.checkName("name", name), text))
                .as("name '%s'", text)
                .isEqualTo(NAME.matcher(text).matches());
        assertThat(isAccepted(Labels::checkMachineName, text))
                .as("machine name '%s'", text)
                .isEqualTo(MACHINE_NAME.matcher(text).matches());
        assertThat(isAccepted(Labels::checkPool, text))
                .as("pool '%s'", text)
                .isEqualTo(POOL.matcher(text).matches() && text.length() <= 253);
    }

    private static boolean isAccepted(Consumer<String> check, String text) {
        try {
            check.accept(text);
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }
}
