package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whatever the seed of an {@link UpdateWorld}, nobody starves. {@code -Dcella.update.seeds=20000} runs more seeds. */
class UpdateWorldTest {
    /** The seeds are independent of each other, so all processors share them. */
    @Test
    void nobodyStarves_whateverTheSeed() {
        Map<Long, List<String>> failed = new ConcurrentSkipListMap<>();
        long first = Long.getLong("cella.update.seed", 1);
        LongStream.range(first, first + Long.getLong("cella.update.seeds", 2_000))
                .parallel()
                .forEach(seed -> {
                    List<String> problems = UpdateWorld.problems(seed);
                    if (!problems.isEmpty()) {
                        failed.put(seed, problems);
                    }
                });
        assertThat(failed).as("failures by seed").isEmpty();
    }
}
