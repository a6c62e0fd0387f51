package dev.cella.agent.machine;

import dev.cella.transactions.model.MemberSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The devices of a machine that tasks claim by number: number 2 of a dimension is the file whose path is the dimension's prefix
 * and "2". GPUs are found. Other devices are named by hand, as {@code fpgas=/dev/fpga0-3}.
 *
 * @param prefixes of the device files, by dimension
 */
public record Devices(Map<String, String> prefixes) {
    private static final String GPUS = "gpus";
    private static final String NVIDIA = "/dev/nvidia";

    /** Every program that uses one of these GPUs opens these files. */
    private static final List<String> SHARED_BY_NVIDIA =
            List.of(NVIDIA + "ctl", NVIDIA + "-uvm", NVIDIA + "-uvm-tools", NVIDIA + "-modeset");

    private static final Pattern PATHS = Pattern.compile("(/dev/.*[^0-9,-])([0-9]+(?:[,-][0-9]+)*)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,3}");

    /** The devices that an agent finds by itself. */
    public static final Devices FOUND = new Devices(Map.of(GPUS, NVIDIA));

    public Devices {
        prefixes = Map.copyOf(prefixes);
    }

    /** A machine whose sets are no devices. */
    public static Devices none() {
        return new Devices(Map.of());
    }

    /** All members by dimension, such as "0-3"; a dimension without a device is left out. */
    public Map<String, String> members(Path root) {
        Map<String, String> found = new TreeMap<>();
        prefixes.forEach((dimension, prefix) -> {
            int[] numbers = numbers(root.resolve(prefix.substring(1)));
            if (numbers.length > 0) {
                found.put(dimension, MemberSet.of(numbers).toString());
            }
        });
        return found;
    }

    private static int[] numbers(Path prefix) {
        String begin = String.valueOf(prefix.getFileName());
        try (Stream<Path> files = Files.list(prefix.resolveSibling(""))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(begin))
                    .map(name -> name.substring(begin.length()))
                    .filter(rest -> NUMBER.matcher(rest).matches())
                    .mapToInt(Integer::parseInt)
                    .sorted()
                    .toArray();
        } catch (IOException unreadable) {
            return new int[0];
        }
    }

    /** Returns whether the members are written as paths of device files, such as /dev/fpga0-3. */
    public static boolean arePaths(String members) {
        return members.startsWith("/");
    }

    /** The numbers in members that are written as paths. */
    public static String numbersIn(String members) {
        return match(members).group(2);
    }

    /** The same, and members of that dimension are the device files written there. */
    public Devices with(String dimension, String members) {
        Map<String, String> all = new HashMap<>(prefixes);
        all.put(dimension, match(members).group(1));
        return new Devices(all);
    }

    private static Matcher match(String members) {
        Matcher match = PATHS.matcher(members);
        if (!match.matches() || members.contains("..")) {
            throw new IllegalArgumentException(
                    "devices are named as a path below /dev and numbers, such as /dev/fpga0-3, not as " + members);
        }
        return match;
    }

    /** The files of the devices that a task holds, and those that it needs with them. */
    public List<Path> files(Map<String, String> held) {
        List<Path> files = new ArrayList<>();
        prefixes.forEach((dimension, prefix) -> {
            String members = held.get(dimension);
            if (members != null) {
                for (int number : MemberSet.parse(members).toArray()) {
                    files.add(Path.of(prefix + number));
                }
                if (prefix.equals(NVIDIA)) {
                    SHARED_BY_NVIDIA.stream()
                            .map(Path::of)
                            .filter(Files::exists)
                            .forEach(files::add);
                }
            }
        });
        return files;
    }
}
