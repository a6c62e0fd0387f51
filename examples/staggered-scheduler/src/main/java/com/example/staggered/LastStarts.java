package com.example.staggered;

import dev.cella.transactions.model.CellTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The scheduler's memory: when it last gave a task to each machine. An immutable value. */
record LastStarts(Map<LastStarts.Machine, CellTime> times) {
    /** A machine of one of the cells. */
    record Machine(int cell, String name) {}

    static final LastStarts NONE = new LastStarts(Map.of());

    LastStarts {
        times = Map.copyOf(times);
    }

    /** Only the machines whose gap is not over, so that the memory does not grow. */
    LastStarts resting(CellTime now, long gapMillis) {
        Map<Machine, CellTime> resting = new HashMap<>(times);
        resting.values().removeIf(time -> time.plusMillis(gapMillis).compareTo(now) <= 0);
        return new LastStarts(resting);
    }

    LastStarts with(Machine machine, CellTime now) {
        Map<Machine, CellTime> more = new HashMap<>(times);
        more.put(machine, now);
        return new LastStarts(more);
    }

    boolean has(Machine machine) {
        return times.containsKey(machine);
    }

    Optional<CellTime> first() {
        return times.values().stream().min(CellTime::compareTo);
    }
}
