package dev.cella.agent;

import dev.cella.client.proto.ReportedWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Chooses the machines whose waits go with a renewal: a limited number, so that the renewal of an agent with many machines stays
 * small enough for the cell. The next renewal goes on after the last machine of this one. Owned by the agent's loop.
 */
final class WaitReports {
    /** A report takes at most about 250 bytes, and a request may have 4 MiB. */
    static final int REPORTS_MAX = 4_000;

    private int next;

    /** @param report of the machine at that place, if it has one to make */
    List<ReportedWaits> take(int machines, IntFunction<Optional<ReportedWaits>> report) {
        List<ReportedWaits> taken = new ArrayList<>();
        int first = next < machines ? next : 0;
        int looked = 0;
        while (looked < machines && taken.size() < REPORTS_MAX) {
            report.apply((first + looked) % machines).ifPresent(taken::add);
            looked++;
        }
        next = machines == 0 ? 0 : (first + looked) % machines;
        return taken;
    }
}
