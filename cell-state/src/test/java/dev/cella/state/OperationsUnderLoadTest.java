package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.transactions.codec.EntryCodec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What operators do to a cell, drawn from a seed, while a client commits. After each run nothing acknowledged is lost,
 * nothing is done twice, and all replicas have the same digests.
 *
 * <p>The usual run has one seed. {@code -Dcella.seeds=20} runs twenty with longer histories, {@code -Dcella.seed=N} begins at
 * that seed.
 */
@Timeout(1800)
class OperationsUnderLoadTest {
    private static final int SEEDS = Integer.getInteger("cella.seeds", 1);
    private static final int STEPS = SEEDS == 1 ? 2 : 6;
    private static final int BETWEEN = 5;
    private static final String NEWEST_LEVEL = "{\"level\": " + EntryCodec.FEATURE_LEVEL_MAX + "}";

    @TempDir
    private Path folder;

    static LongStream seeds() {
        long first = Long.getLong("cella.seed", 1);
        return LongStream.range(first, first + SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void membersChange(long seed) throws Exception {
        Random random = new Random(seed);
        try (OperatedCell cell = new OperatedCell(folder, EntryCodec.FEATURE_LEVEL_MAX);
                ClaimingLoad load = new ClaimingLoad(cell)) {
            cell.found(3);
            load.start();
            for (int step = 0; step < STEPS; step++) {
                load.awaitMore(random.nextInt(2 * BETWEEN));
                changeMembers(cell, random);
            }
            load.awaitMore(BETWEEN);
            checkAll(cell, load);
        }
    }

    private static void changeMembers(OperatedCell cell, Random random) throws IOException {
        List<String> members = cell.names().stream().sorted().toList();
        String one = members.get(random.nextInt(members.size()));
        switch (random.nextInt(4)) {
            case 0 -> {
                if (members.size() < 5) {
                    cell.add(Stream.of("r1", "r2", "r3", "r4", "r5")
                            .filter(name -> !members.contains(name))
                            .findFirst()
                            .orElseThrow());
                }
            }
            case 1 -> {
                if (members.size() > 2) {
                    cell.remove(one);
                }
            }
            case 2 -> cell.decided("POST", "/v1/members/" + one + ":transfer", "{}");
            default -> {
                if (members.size() > 2) {
                    cell.stop(one);
                    cell.replace(one);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void backupIsRestored(long seed) throws Exception {
        Random random = new Random(seed);
        Path backup = folder.resolve("cell.backup");
        try (OperatedCell cell = new OperatedCell(folder.resolve("before"), EntryCodec.FEATURE_LEVEL_MAX);
                ClaimingLoad load = new ClaimingLoad(cell);
                OperatedCell restored = new OperatedCell(folder.resolve("after"), EntryCodec.FEATURE_LEVEL_MAX)) {
            cell.found(random.nextBoolean() ? 1 : 3);
            load.start();
            load.awaitMore(1 + random.nextInt(BETWEEN * STEPS));
            List<Integer> before = load.acknowledged();
            Files.write(backup, cell.backup());
            load.awaitMore(BETWEEN);
            checkAll(cell, load);

            CellRestore.restore(backup, restored.data("r1"));
            restored.startAlone("r1");

            int there = placed(restored) / 2;
            assertThat(there).isGreaterThanOrEqualTo(before.size());
            load.assertExactly(restored, load.acknowledged().subList(0, there));
            try (ClaimingLoad again = new ClaimingLoad(restored)) {
                again.assertDecidedOnce(random.nextInt(there));
            }
            load.assertExactly(restored, load.acknowledged().subList(0, there));
        }
    }

    private static int placed(OperatedCell cell) throws IOException {
        return new ObjectMapper()
                .readTree(cell.decided("GET", "/v1/cell", ""))
                .at("/tasks/placed")
                .asInt();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void twoBuildsRunInOneCell_upAndBackAndUp_thenTheLevelIsRaised(long seed) throws Exception {
        Random random = new Random(seed);
        int foundingLevel = 1 + random.nextInt(Build.BEFORE.levelMax());
        try (OperatedCell cell = new OperatedCell(folder, foundingLevel);
                ClaimingLoad load = new ClaimingLoad(cell)) {
            cell.startsWith(Build.BEFORE);
            cell.found(3);
            load.start();
            for (int step = 1; step < STEPS; step += 2) {
                List<String> some = inAnyOrder(cell.names(), random).subList(0, 1 + random.nextInt(STEPS / 2));
                bring(cell, Build.NEWEST, some, load, random);
                if (some.size() < 3) {
                    cell.refused("POST", "/v1/level", NEWEST_LEVEL);
                }
                bring(cell, Build.BEFORE, inAnyOrder(some, random), load, random);
            }
            bring(cell, Build.NEWEST, inAnyOrder(cell.names(), random), load, random);
            assertThat(cell.replica("r1").featureLevel()).isEqualTo(foundingLevel);
            cell.decided("POST", "/v1/level", NEWEST_LEVEL);
            load.awaitMore(BETWEEN);
            assertTooOldForTheLevel(cell, "r" + (1 + random.nextInt(3)));
            checkAll(cell, load);
            assertThat(cell.replica("r1").featureLevel()).isEqualTo(EntryCodec.FEATURE_LEVEL_MAX);
        }
    }

    private static List<String> inAnyOrder(Collection<String> names, Random random) {
        List<String> order = new ArrayList<>(names.stream().sorted().toList());
        Collections.shuffle(order, random);
        return order;
    }

    private static void bring(OperatedCell cell, Build build, List<String> names, ClaimingLoad load, Random random)
            throws IOException {
        cell.startsWith(build);
        for (String name : names) {
            load.awaitMore(random.nextInt(BETWEEN));
            cell.stop(name);
            assertThat(cell.start(name)).as("%s of %s", name, build).isEmpty();
        }
    }

    private static void assertTooOldForTheLevel(OperatedCell cell, String name) throws IOException {
        cell.stop(name);
        cell.startsWith(Build.BEFORE);
        assertThat(cell.startUntilItLeaves(name)).hasMessageContaining("written by a newer program");
        cell.startsWith(Build.NEWEST);
        assertThat(cell.start(name)).as(name).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void filesAreDamaged(long seed) throws Exception {
        Random random = new Random(seed);
        try (OperatedCell cell = new OperatedCell(folder, EntryCodec.FEATURE_LEVEL_MAX);
                ClaimingLoad load = new ClaimingLoad(cell)) {
            cell.found(3);
            load.start();
            for (int step = 0; step < STEPS; step++) {
                load.awaitMore(random.nextInt(2 * BETWEEN));
                String name = "r" + (1 + random.nextInt(3));
                cell.stop(name);
                String damage = damage(cell.data(name), random);
                Optional<Throwable> refused = cell.start(name);
                if (refused.isPresent()) {
                    assertThat(refused.get().getMessage()).as(damage).isNotBlank();
                    cell.replace(name);
                }
            }
            load.awaitMore(BETWEEN);
            checkAll(cell, load);
        }
    }

    /** Flips a bit of one file, cuts it off, removes it, or writes behind its end. Returns what was done. */
    private static String damage(Path data, Random random) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(data)) {
            files = found.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().equals("lock"))
                    .sorted()
                    .toList();
        }
        Path file = files.get(random.nextInt(files.size()));
        int kind = random.nextInt(4);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long length = bytes.length();
            switch (kind) {
                case 0 -> {
                    if (length > 0) {
                        long place = random.nextLong(length);
                        bytes.seek(place);
                        int before = bytes.read();
                        bytes.seek(place);
                        bytes.write(before ^ (1 << random.nextInt(8)));
                    }
                }
                case 1 -> bytes.setLength(length == 0 ? 0 : random.nextLong(length));
                case 2 -> Files.delete(file);
                default -> {
                    bytes.seek(length);
                    bytes.write(new byte[] {1, 2, 3});
                }
            }
        }
        return file + ": "
                + List.of("a bit flipped", "cut off", "removed", "more at its end")
                        .get(kind);
    }

    private static void checkAll(OperatedCell cell, ClaimingLoad load) throws Exception {
        load.stop();
        cell.assertSameDigests();
        load.assertExactly(cell, load.acknowledged());
        load.assertDecidedOnce(load.acknowledged().size() - 1);
        load.assertExactly(cell, load.acknowledged());
    }
}
