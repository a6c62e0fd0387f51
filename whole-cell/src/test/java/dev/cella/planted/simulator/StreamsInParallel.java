package dev.cella.planted.simulator;

import java.util.List;

final class StreamsInParallel {
    long count(List<String> names) {
        return names.parallelStream().count();
    }
}
