package dev.cella.scheduler.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** It has the same entries as a plain map, in the same order, and keeps them when a later one changes. */
class SharedMapTest {
    @Test
    void randomChanges_giveWhatAPlainMapHas_andLeaveTheFormerOneAsItWas() {
        Random random = new Random(23);
        Map<Integer, Double> plain = new LinkedHashMap<>();
        SharedMap<Integer, Double> map = SharedMap.of(Map.of());
        for (int change = 0; change < 4_000; change++) {
            SharedMap<Integer, Double> former = map;
            List<Integer> formerKeys = change % 100 == 0 ? new ArrayList<>(former.keySet()) : List.of();
            Map<Integer, Double> values = new LinkedHashMap<>();
            random.ints(1 + random.nextInt(3), 0, 1_500).forEach(key -> values.put(key, random.nextDouble()));
            int first = values.keySet().iterator().next();
            Double before = former.get(first);
            map = former.with(values);
            plain.putAll(values);
            assertThat(map.get(first)).isEqualTo(values.get(first));
            assertThat(former.get(first)).isEqualTo(before);
            if (change % 100 == 0) {
                assertThat(former.keySet()).containsExactlyElementsOf(formerKeys);
                assertThat(map).isEqualTo(plain).hasSameSizeAs(plain);
                assertThat(map.entrySet()).containsExactlyElementsOf(plain.entrySet());
            }
        }
        assertThat(SharedMap.of(plain)).isEqualTo(map);
    }

    @Test
    void keyThatIsNotThere_isFoundByNoRead() {
        SharedMap<Integer, String> map = SharedMap.<Integer, String>of(Map.of()).with(1, "one");
        assertThat(map).hasSize(1).doesNotContainKey(2);
        assertThat(map.get(2)).isNull();
    }
}
