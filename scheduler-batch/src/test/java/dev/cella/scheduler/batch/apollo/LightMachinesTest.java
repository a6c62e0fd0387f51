package dev.cella.scheduler.batch.apollo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which machines are drawn from, and how many are looked at for that. */
class LightMachinesTest {
    private static final int LARGE = 130_000;

    private final SplittableRandom random = new SplittableRandom(17);
    private final BitSet looked = new BitSet();

    private LightMachines of(int slots, int tasks, IntPredicate mayWait, IntPredicate isLight) {
        IntPredicate looks = machine -> {
            looked.set(machine);
            return mayWait.test(machine);
        };
        return new LightMachines(IntStream.range(0, slots).toArray(), tasks, looks, isLight, random);
    }

    private static boolean isEven(int machine) {
        return machine % 2 == 0;
    }

    /** The machines that these tasks draw. */
    private BitSet drawn(LightMachines light, int tasks) {
        BitSet drawn = new BitSet();
        for (int task = 0; task < tasks; task++) {
            IntSupplier draws = light.draws(random);
            int one = draws.getAsInt();
            int other = draws.getAsInt();
            assertThat(other).isNotEqualTo(one);
            drawn.set(one);
            drawn.set(other);
        }
        return drawn;
    }

    @Test
    void smallCell_isLookedAtWhole_andAllOfItsLightMachinesAreDrawn() {
        LightMachines light = of(400, 1, machine -> machine < 300, LightMachinesTest::isEven);
        assertThat(looked.cardinality()).isEqualTo(400);
        assertThat(light.count()).isEqualTo(150);
        BitSet drawn = drawn(light, 2_000);
        assertThat(drawn.stream()).allMatch(machine -> machine < 300 && isEven(machine));
        assertThat(drawn.cardinality()).isEqualTo(150);
    }

    @Test
    void largeCell_isLookedAtUntilEnoughLightMachinesAreFound() {
        LightMachines light = of(LARGE, 5, machine -> machine % 10 != 0, LightMachinesTest::isEven);
        assertThat(light.count()).isEqualTo(LARGE / 100 + 1);
        assertThat(looked.cardinality()).isBetween(LARGE / 100, LARGE / 20);
        BitSet drawn = drawn(light, 1_000);
        assertThat(drawn.stream()).allMatch(machine -> isEven(machine) && machine % 10 != 0);
        assertThat(drawn.stream().filter(machine -> machine < LARGE / 2).count())
                .as("from everywhere, alike")
                .isBetween(drawn.cardinality() * 2L / 5, drawn.cardinality() * 3L / 5);
    }

    @Test
    void largeCellWithFewLightMachines_isLookedAtWhole_andAllOfThemAreDrawnFrom() {
        LightMachines light = of(LARGE, 1, machine -> true, machine -> machine % 40 == 0);
        assertThat(looked.cardinality()).isEqualTo(LARGE);
        assertThat(light.count()).isEqualTo(LARGE / 40);
    }

    @Test
    void manyTasks_drawFromSeveralTimesAsManyMachines() {
        LightMachines light = of(LARGE, 1_000, machine -> true, LightMachinesTest::isEven);
        assertThat(light.count()).isEqualTo(10_000);
        assertThat(looked.cardinality()).isLessThan(LARGE / 5);
    }

    @Test
    void machinesThatAreNotLightAnyMore_areReplacedByOthers_asLongAsThereAreAny() {
        LightMachines light = of(LARGE, 1, machine -> true, LightMachinesTest::isEven);
        BitSet before = drawn(light, 10_000);
        light.retain(machine -> !before.get(machine));
        assertThat(light.count()).isEqualTo(LARGE / 100 + 1);
        assertThat(drawn(light, 1_000).intersects(before)).isFalse();

        light.retain(machine -> false);
        assertThat(looked.cardinality()).isEqualTo(LARGE);
        assertThat(light.count()).isEqualTo(LARGE);
    }

    @Test
    void fewLightMachines_areDrawnFirst_andAllOthersThatTakeTasksBesideThem() {
        LightMachines light = of(LARGE, 1, machine -> machine < LARGE / 2, machine -> machine == 7);
        assertThat(looked.cardinality()).isEqualTo(LARGE);
        assertThat(light.count()).isEqualTo(LARGE / 2);
        for (int task = 0; task < 1_000; task++) {
            IntSupplier draws = light.draws(random);
            assertThat(draws.getAsInt()).isEqualTo(7);
            assertThat(draws.getAsInt()).isNotEqualTo(7).isLessThan(LARGE / 2);
        }
    }

    @Test
    void contains_asksAboutAMachineThatWasNotLookedAt_once() {
        LightMachines light = of(LARGE, 1, machine -> machine % 10 != 0, LightMachinesTest::isEven);
        int unseen = IntStream.range(0, LARGE)
                .filter(machine -> !looked.get(machine) && machine % 10 == 3)
                .findFirst()
                .orElseThrow();
        assertThat(light.contains(unseen)).isTrue();
        assertThat(looked.get(unseen)).isTrue();
        looked.clear();
        assertThat(light.contains(unseen)).isTrue();
        assertThat(looked.get(unseen)).as("looked at again").isFalse();
        assertThat(light.contains(10)).isFalse();
        assertThat(light.contains(-1)).as("no machine").isFalse();
    }

    @Test
    void cellWhereNoMachineTakesTasks_hasNoneToDrawFrom() {
        assertThat(of(LARGE, 1, machine -> false, machine -> true).count()).isZero();
        assertThat(of(0, 1, machine -> true, machine -> true).count()).isZero();
    }
}
