package dev.cella.chaos.processes;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Timeline;
import dev.cella.client.proto.CellSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Asks the cell twice a second who leads and how many tasks wait and run. One thread of its own runs it. */
final class CellSampler implements Runnable {
    private static final long EVERY_MILLIS = 500;
    private static final long MILLI = 1_000_000;

    private final ProcessCell cell;
    private final LongSupplier clock;
    private final List<Timeline.Sample> samples = new ArrayList<>();
    private final List<History.Leaderless> leaderless = new ArrayList<>();
    private Optional<Long> without = Optional.empty();
    private volatile boolean over;

    CellSampler(ProcessCell cell, LongSupplier clock) {
        this.cell = cell;
        this.clock = clock;
    }

    @Override
    public void run() {
        while (!over) {
            sample();
            ProcessCell.pause(EVERY_MILLIS);
        }
        without.ifPresent(from -> leaderless.add(new History.Leaderless(from, clock.getAsLong())));
    }

    private void sample() {
        Optional<CellSummary> said = cell.summary();
        long now = clock.getAsLong();
        Optional<String> leader = said.filter(CellSummary::hasLeader).map(CellSummary::getLeader);
        if (leader.isEmpty() && without.isEmpty()) {
            without = Optional.of(now);
        } else if (leader.isPresent() && without.isPresent()) {
            leaderless.add(new History.Leaderless(without.get(), now));
            without = Optional.empty();
        }
        samples.add(new Timeline.Sample(
                now / MILLI,
                leader,
                0,
                0,
                said.map(each -> each.getTasks().getPending()).orElse(0L),
                said.map(each -> each.getTasks().getRunning()).orElse(0L)));
    }

    void end() {
        over = true;
    }

    List<Timeline.Sample> samples() {
        return samples;
    }

    List<History.Leaderless> leaderless() {
        return leaderless;
    }
}
