package dev.cella.client.json;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant: the one with the fewest typing errors. */
public final class NearestName {
    /** Nobody mistypes a longer name, and the search must stay cheap on hostile input. */
    private static final int WRITTEN_LENGTH_MAX = 64;

    private NearestName() {}

    /** The nearest of some names, the first of equally near ones; empty if none is near enough. */
    public static Optional<String> to(String written, Collection<String> names) {
        if (written.length() > WRITTEN_LENGTH_MAX) {
            return Optional.empty();
        }
        String nearest = "";
        int nearestDistance = slipsAllowed(written) + 1;
        for (String name : names) {
            int distance = distance(bare(written), bare(name));
            if (distance < nearestDistance) {
                nearest = name;
                nearestDistance = distance;
            }
        }
        return nearest.isEmpty() ? Optional.empty() : Optional.of(nearest);
    }

    private static int slipsAllowed(String written) {
        return Math.max(1, written.length() / 3);
    }

    /** Another case, and another sign between words, count as no difference. */
    private static String bare(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Damerau-Levenshtein: letters inserted, omitted, changed, or swapped with their neighbour. */
    private static int distance(String from, String to) {
        int[][] slips = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                slips[i][j] = distanceOfPrefixes(slips, from, to, i, j);
            }
        }
        return slips[from.length()][to.length()];
    }

    private static int distanceOfPrefixes(int[][] slips, String from, String to, int i, int j) {
        if (i == 0 || j == 0) {
            return i + j;
        }
        int changed = slips[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int distance = Math.min(changed, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(distance, slips[i - 2][j - 2] + 1) : distance;
    }
}
