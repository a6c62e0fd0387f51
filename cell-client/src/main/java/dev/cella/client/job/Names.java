package dev.cella.client.job;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rules for names that people choose. */
public final class Names {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");
    private static final Pattern MACHINE_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final int POOL_LENGTH_MAX = 253;
    private static final int LABEL_LENGTH_MAX = 253;

    private Names() {}

    /** Why a text cannot be the name of a job, a group or a scheduler; empty if it can. */
    public static Optional<String> refuse(String name) {
        return refuse(NAME, 63, name);
    }

    /** Why a text cannot be the path of a pool; empty if it can. */
    public static Optional<String> refusePool(String path) {
        if (path.length() > POOL_LENGTH_MAX) {
            return Optional.of("is too long for a pool: " + path.length() + " characters, at most " + POOL_LENGTH_MAX);
        }
        String[] names = path.split("/", -1);
        if (names.length > 1 && Arrays.asList(names).contains("")) {
            return Optional.of("is no path of a pool: \"" + path
                    + "\"; a path has one slash between two names, such as research/vision");
        }
        return Arrays.stream(names)
                .map(Names::refuse)
                .flatMap(Optional::stream)
                .map(why -> why + "; a pool is a name, or a path of names such as research/vision")
                .findFirst();
    }

    /** Why a text cannot be the name of a machine; empty if it can. */
    public static Optional<String> refuseMachine(String name) {
        return refuse(MACHINE_NAME, 253, name);
    }

    /** Why a text cannot be the name of a label; empty if it can. It is shown in tables and in addresses. */
    public static Optional<String> refuseLabel(String name) {
        if (name.isEmpty()) {
            return Optional.of("have an empty name; name each label");
        }
        if (name.length() > LABEL_LENGTH_MAX) {
            return Optional.of("have too long a name: " + name.length() + " characters, at most " + LABEL_LENGTH_MAX);
        }
        return name.chars()
                .filter(Character::isISOControl)
                .mapToObj("have a name with the control character U+%04X; leave it out"::formatted)
                .findFirst();
    }

    private static Optional<String> refuse(Pattern pattern, int lengthMax, String name) {
        if (pattern.matcher(name).matches()) {
            return Optional.empty();
        }
        if (name.length() > lengthMax) {
            return Optional.of("is too long for a name: " + name.length() + " characters, at most " + lengthMax);
        }
        return Optional.of(
                "is no name: \"" + name
                        + "\"; names have lower-case letters, digits, dots and hyphens, and begin and end with a letter or digit");
    }
}
