package dev.cella.agent.machine;

import dev.cella.transactions.model.MemberSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The devices of a machine that tasks claim by number, by the names of their files: {@code /dev/nvidia0} is number 0 of the
 * dimension {@code gpus}. Other devices are named by hand.
 */
public final class Devices {
    private static final Pattern GPU = Pattern.compile("nvidia([0-9]{1,3})");
    private static final String GPUS = "gpus";

    private Devices() {}

    /** All members by dimension, such as "0-3"; a dimension without a device is left out. */
    public static Map<String, String> find(Path root) {
        Map<String, String> found = new TreeMap<>();
        int[] gpus = numbers(root.resolve("dev"), GPU);
        if (gpus.length > 0) {
            found.put(GPUS, MemberSet.of(gpus).toString());
        }
        return found;
    }

    private static int[] numbers(Path folder, Pattern name) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> name.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToInt(match -> Integer.parseInt(match.group(1)))
                    .sorted()
                    .toArray();
        } catch (IOException unreadable) {
            return IntStream.empty().toArray();
        }
    }
}
