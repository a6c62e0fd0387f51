package dev.cella.cli;

import java.awt.image.Raster;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/**
 * A picture as the mean colours of a coarse grid, four bits a channel: another version of the browser or of a font moves a
 * letter, which changes little here; a part that is gone, moved or in another colour changes much.
 */
record PictureGrid(String hex) {
    private static final int COLUMNS = 16;
    private static final int ROWS = 16;
    private static final int CHANNELS = 3;
    private static final int LEVELS = 16;
    private static final int FAR = 3;
    private static final double FAR_FRACTION_MAX = 0.08;
    private static final double MEAN_MAX = 0.8;

    static PictureGrid of(Path png) throws IOException {
        Raster picture = ImageIO.read(png.toFile()).getRaster();
        StringBuilder hex = new StringBuilder();
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                append(hex, picture, column, row);
            }
        }
        return new PictureGrid(hex.toString());
    }

    private static void append(StringBuilder hex, Raster picture, int column, int row) {
        int left = picture.getWidth() * column / COLUMNS;
        int right = picture.getWidth() * (column + 1) / COLUMNS;
        int top = picture.getHeight() * row / ROWS;
        int bottom = picture.getHeight() * (row + 1) / ROWS;
        int[] bands = picture.getPixels(left, top, right - left, bottom - top, (int[]) null);
        long[] sums = new long[CHANNELS];
        for (int pixel = 0; pixel < bands.length; pixel += picture.getNumBands()) {
            for (int channel = 0; channel < CHANNELS; channel++) {
                sums[channel] += bands[pixel + CHANNELS - 1 - channel];
            }
        }
        long pixels = (long) (right - left) * (bottom - top);
        for (long sum : sums) {
            hex.append(Character.forDigit((int) (sum * LEVELS / (pixels * 256)), LEVELS));
        }
    }

    /** Returns whether the two show the same, as far as a person would say. */
    boolean looksLike(PictureGrid other) {
        if (hex.length() != other.hex.length()) {
            return false;
        }
        int far = 0;
        int all = 0;
        for (int place = 0; place < hex.length(); place++) {
            int apart = Math.abs(digit(place) - other.digit(place));
            all += apart;
            far += apart >= FAR ? 1 : 0;
        }
        return all <= MEAN_MAX * hex.length() && far <= FAR_FRACTION_MAX * hex.length();
    }

    private int digit(int place) {
        return Character.digit(hex.charAt(place), LEVELS);
    }
}
