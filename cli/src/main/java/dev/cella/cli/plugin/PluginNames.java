package dev.cella.cli.plugin;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.job.Names;
import java.util.Locale;
import java.util.Set;
import javax.lang.model.SourceVersion;

/**
 * The names in the project of a scheduler type, which all follow from the type's name.
 *
 * @param prefix what the names of its classes begin with
 */
record PluginNames(String type, String artifact, String packageName, String prefix) {
    private static final String SUFFIX = "scheduler";
    private static final String HINT = "cella scheduler new my-policy";

    /** Names of classes that the project imports, by their prefixes. */
    private static final Set<String> IMPORTED = Set.of("Job", "Scheduler");

    /** The names for a type, or a refusal in words if the name is unfit for one or for a class. */
    static PluginNames of(String type) {
        Names.refuse(type).ifPresent(why -> {
            throw CommandFailure.usage(
                    "the scheduler type " + why,
                    type.contains("/") ? "--directory DIR says where the project is put: " + HINT : HINT);
        });
        String prefix = prefix(type);
        String packageName = "com.example." + prefix.toLowerCase(Locale.ROOT);
        if (!SourceVersion.isName(packageName)) {
            throw CommandFailure.usage(
                    "Java can name no package " + packageName + " after the type " + type, "try " + HINT);
        }
        if (IMPORTED.contains(prefix)) {
            throw CommandFailure.usage(
                    "a class named after the type " + type + " would have the name of one that it uses", "try " + HINT);
        }
        return new PluginNames(type, type.endsWith(SUFFIX) ? type : type + "-" + SUFFIX, packageName, prefix);
    }

    /** {@code PowerOfTwo} for {@code power-of-two-scheduler}. */
    private static String prefix(String type) {
        StringBuilder prefix = new StringBuilder();
        for (String word : type.split("[.-]+", -1)) {
            prefix.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        int end = prefix.length() - SUFFIX.length();
        boolean hasMore = end > 0 && prefix.substring(end).equalsIgnoreCase(SUFFIX);
        return hasMore ? prefix.substring(0, end) : prefix.toString();
    }
}
