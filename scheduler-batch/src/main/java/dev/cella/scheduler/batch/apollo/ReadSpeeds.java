package dev.cella.scheduler.batch.apollo;

import java.util.List;

/** How fast a task reads its input, by where the input is (3.3). */
public record ReadSpeeds(
        double localMegabytesPerSecond, double rackMegabytesPerSecond, double remoteMegabytesPerSecond) {
    /** The example of Figure 4. */
    public static final ReadSpeeds FIGURE_4 = new ReadSpeeds(160, 100, 80);

    /** One part of a task's input. Machines and racks are numbers of the caller's. */
    public record Part(int machine, int rack, double megabytes) {}

    public ReadSpeeds {
        if (!(remoteMegabytesPerSecond > 0
                && remoteMegabytesPerSecond <= rackMegabytesPerSecond
                && rackMegabytesPerSecond <= localMegabytesPerSecond)) {
            throw new IllegalArgumentException("near input is read at least as fast as input that is far away");
        }
    }

    /** How long a task on the machine reads all parts, one after another. */
    public double seconds(List<Part> parts, int machine, int rack) {
        double seconds = 0;
        for (Part part : parts) {
            seconds += part.megabytes() / speed(part, machine, rack);
        }
        return seconds;
    }

    private double speed(Part part, int machine, int rack) {
        if (part.machine() == machine) {
            return localMegabytesPerSecond;
        }
        return part.rack() == rack ? rackMegabytesPerSecond : remoteMegabytesPerSecond;
    }
}
