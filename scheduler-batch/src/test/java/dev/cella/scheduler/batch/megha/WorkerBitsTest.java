package dev.cella.scheduler.batch.megha;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bit vectors beside a plain array, with ranges that begin and end anywhere in a word. */
class WorkerBitsTest {
    private static final int WORKERS = 300;

    @Test
    void randomRanges_agreeWithAPlainArray() {
        Random random = new Random(11);
        for (int round = 0; round < 2_000; round++) {
            boolean[] plain = new boolean[WORKERS];
            WorkerBits bits = bits(random, plain, 0.05);
            boolean[] other = new boolean[WORKERS];
            WorkerBits required = bits(random, other, 0.5);
            int from = random.nextInt(WORKERS);
            int to = from + random.nextInt(WORKERS - from + 1);

            assertThat(bits.count(from, to)).isEqualTo(count(plain, from, to));
            assertThat(bits.first(from, to, List.of(required))).isEqualTo(first(plain, other, from, to));
            int drawn = bits.random(from, to, List.of(required), random);
            assertThat(drawn == WorkerBits.NONE || (drawn >= from && drawn < to && plain[drawn] && other[drawn]))
                    .isTrue();
            assertThat(drawn == WorkerBits.NONE).isEqualTo(first(plain, other, from, to) == WorkerBits.NONE);

            bits.copy(required, from, to);
            for (int worker = 0; worker < WORKERS; worker++) {
                boolean isCopied = worker >= from && worker < to;
                assertThat(bits.get(worker)).isEqualTo(isCopied ? other[worker] : plain[worker]);
            }
        }
    }

    @Test
    void eachWorker_isDrawnEquallyOften() {
        WorkerBits bits = new WorkerBits(WORKERS);
        bits.fill(60, 70);
        Random random = new Random(5);
        int[] drawn = new int[WORKERS];
        for (int i = 0; i < 10_000; i++) {
            drawn[bits.random(0, WORKERS, List.of(), random)]++;
        }
        for (int worker = 60; worker < 70; worker++) {
            assertThat(drawn[worker]).isBetween(850, 1_150);
        }
    }

    private static WorkerBits bits(Random random, boolean[] plain, double density) {
        WorkerBits bits = new WorkerBits(WORKERS);
        for (int worker = 0; worker < WORKERS; worker++) {
            plain[worker] = random.nextDouble() < density;
            bits.set(worker, plain[worker]);
        }
        return bits;
    }

    private static int count(boolean[] plain, int from, int to) {
        int count = 0;
        for (int worker = from; worker < to; worker++) {
            count += plain[worker] ? 1 : 0;
        }
        return count;
    }

    private static int first(boolean[] plain, boolean[] other, int from, int to) {
        for (int worker = from; worker < to; worker++) {
            if (plain[worker] && other[worker]) {
                return worker;
            }
        }
        return WorkerBits.NONE;
    }

    /** A local master keeps only its own workers' bits, and global masters take them into a view of all. */
    @Test
    void partOfTheWorkers_isCopiedIntoAllAndBack() {
        WorkerBits part = new WorkerBits(70, 200);
        part.set(70, true);
        part.set(199, true);
        WorkerBits all = new WorkerBits(300);
        all.set(69, true);
        all.set(100, true);

        all.copy(part, 70, 200);

        assertThat(all.get(69)).isTrue();
        assertThat(all.first(70, 300, List.of())).isEqualTo(70);
        assertThat(all.first(71, 300, List.of())).isEqualTo(199);
        WorkerBits back = new WorkerBits(70, 200);
        back.copy(all, 70, 200);
        assertThat(back.count(70, 200)).isEqualTo(2);
    }
}
