package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * How people see a colour of the screen: the usual way, and without the cones for red or for green, as Machado, Oliveira and
 * Fernandes describe it (2009).
 */
enum ColourVision {
    USUAL(new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
    WITHOUT_RED(new double[][] {
        {0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}
    }),
    WITHOUT_GREEN(new double[][] {
        {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}
    });

    private static final double[][] TO_XYZ = {
        {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}
    };
    private static final double[] WHITE = {0.9505, 1, 1.089};
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    @SuppressWarnings("ImmutableEnumChecker") // nothing writes to it
    private final double[][] seen;

    ColourVision(double[][] seen) {
        this.seen = seen;
    }

    /** How far apart two colours are to this eye, as CIE 1976 counts it; 2 is the least that anybody notices. */
    double distance(String one, String other) {
        double[] from = lab(one);
        double[] to = lab(other);
        return Math.sqrt(Math.pow(from[0] - to[0], 2) + Math.pow(from[1] - to[1], 2) + Math.pow(from[2] - to[2], 2));
    }

    /** @param colour as a browser computes it, {@code rgb(1, 2, 3)} */
    private double[] lab(String colour) {
        List<Integer> parts = NUMBER.matcher(colour)
                .results()
                .map(MatchResult::group)
                .map(Integer::valueOf)
                .toList();
        assertThat(parts).as(colour).hasSizeGreaterThanOrEqualTo(3);
        double[] linear = new double[3];
        for (int part = 0; part < 3; part++) {
            double value = parts.get(part) / 255.0;
            linear[part] = value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        }
        double[] xyz = times(TO_XYZ, times(seen, linear));
        double[] bent = new double[3];
        for (int part = 0; part < 3; part++) {
            double value = Math.max(0, xyz[part] / WHITE[part]);
            bent[part] = value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16.0 / 116;
        }
        return new double[] {116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])};
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[3];
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                product[row] += matrix[row][column] * vector[column];
            }
        }
        return product;
    }
}
