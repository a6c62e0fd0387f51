package dev.cella.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlannedCell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any changes of machines, the index gives the same answers as a look at every machine. */
class MachineIndexPropertyTest {
    private static final int CHANGES = 400;
    private static final int NAMES = 60;
    private static final List<String> ATTRIBUTES = List.of("rack", "cores", "os", MachineIndex.MACHINE);

    private static final List<Operator> OPERATORS = List.of(Operator.values());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void indexIsScan(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlannedCell cell = new PlannedCell();
        for (int change = 0; change < CHANGES; change++) {
            changeSomething(cell, random);
            GroupPlacement asked = drawPlacement(random);
            assertThat(byIndex(cell, asked))
                    .as("seed %s, change %s, %s", seed, change, asked)
                    .containsExactlyElementsOf(byScan(cell.view(), asked));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void slotsWithValue_areThoseOfScan_alsoBesideConstraints(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlannedCell cell = new PlannedCell();
        for (int change = 0; change < CHANGES; change++) {
            changeSomething(cell, random);
            if (change > CHANGES / 2) {
                byIndex(cell, drawPlacement(random));
            }
            String attribute = ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size()));
            String value = drawValue(attribute, random);
            assertThat(cell.surroundings().index().slotsWith(attribute, value))
                    .as("seed %s, change %s, %s=%s", seed, change, attribute, value)
                    .containsExactly(slotsByScan(cell.view(), attribute, value));
        }
    }

    private static int[] slotsByScan(CellView view, String attribute, String value) {
        Constraint has = Constraint.of(attribute, Operator.EQ, value);
        return IntStream.range(0, view.machineSlots())
                .filter(view::machineExists)
                .filter(slot -> isMet(view, slot, has))
                .toArray();
    }

    private static void changeSomething(PlannedCell cell, SplittableRandom random) {
        String name = "m" + random.nextInt(NAMES);
        boolean exists = cell.view().findMachine(name).isPresent();
        switch (random.nextInt(exists ? 5 : 1)) {
            case 1 -> cell.change(name, Command.MachineChange.DRAIN);
            case 2 -> cell.change(name, Command.MachineChange.READY);
            case 3 -> remove(cell, name);
            default -> cell.machine(name, 4_000, drawAttributes(random));
        }
    }

    private static void remove(PlannedCell cell, String name) {
        int slot = cell.view().findMachine(name).orElseThrow();
        cell.apply(new Command.ChangeMachine(cell.view().machineId(slot), Command.MachineChange.REMOVE, true));
        cell.surroundings().index().look(slot);
    }

    private static String[] drawAttributes(SplittableRandom random) {
        List<String> pairs = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            pairs.add("rack=r" + random.nextInt(5));
        }
        if (random.nextInt(4) > 0) {
            pairs.add("cores=" + (random.nextInt(8) == 0 ? "many" : 1 + random.nextInt(64)));
        }
        if (random.nextInt(4) > 0) {
            pairs.add("os=" + List.of("debian-12", "debian-13", "fedora-44").get(random.nextInt(3)));
        }
        return pairs.toArray(String[]::new);
    }

    private static GroupPlacement drawPlacement(SplittableRandom random) {
        Constraint[] constraints = IntStream.range(0, random.nextInt(4))
                .mapToObj(each -> drawConstraint(random))
                .toArray(Constraint[]::new);
        GroupPlacement placement = GroupPlacement.ANYWHERE.with(constraints);
        if (random.nextBoolean()) {
            placement = placement.with(new Affinity(drawConstraint(random), random.nextInt(-100, 101)));
        }
        return random.nextBoolean() ? placement.with(Spread.evenly("rack")) : placement;
    }

    private static Constraint drawConstraint(SplittableRandom random) {
        String attribute = ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size()));
        Operator operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
        return switch (operator) {
            case EXISTS, ABSENT -> Constraint.of(attribute, operator);
            case GT, LT -> Constraint.of("cores", operator, Integer.toString(random.nextInt(64)));
            case MATCHES -> Constraint.of("os", operator, random.nextBoolean() ? "debian-.*" : ".*-1[23]");
            case EQ, NE -> Constraint.of(attribute, operator, drawValue(attribute, random));
            case IN, NOT_IN ->
                Constraint.of(attribute, operator, drawValue(attribute, random), drawValue(attribute, random));
        };
    }

    private static String drawValue(String attribute, SplittableRandom random) {
        return switch (attribute) {
            case "rack" -> "r" + random.nextInt(6);
            case "cores" -> Integer.toString(random.nextInt(64));
            case "os" -> "debian-12";
            default -> "m" + random.nextInt(NAMES);
        };
    }

    private static List<Integer> byIndex(PlannedCell cell, GroupPlacement asked) {
        Domains domains = cell.surroundings().index().domains(asked);
        return IntStream.range(0, domains.classes())
                .flatMap(place -> IntStream.of(domains.machines(place)))
                .sorted()
                .boxed()
                .toList();
    }

    private static List<Integer> byScan(CellView view, GroupPlacement asked) {
        return IntStream.range(0, view.machineSlots())
                .filter(view::isReady)
                .filter(slot -> asked.constraints().stream().allMatch(each -> isMet(view, slot, each)))
                .boxed()
                .toList();
    }

    /** Computed from the language's description, not by its code. */
    private static boolean isMet(CellView view, int slot, Constraint constraint) {
        Optional<String> value = constraint.attribute().equals(MachineIndex.MACHINE)
                ? Optional.of(view.machineName(slot))
                : Optional.ofNullable(view.attributes(slot).get(constraint.attribute()));
        List<String> asked = constraint.values();
        return switch (constraint.operator()) {
            case EQ, IN -> value.filter(asked::contains).isPresent();
            case NE, NOT_IN -> value.filter(asked::contains).isEmpty();
            case EXISTS -> value.isPresent();
            case ABSENT -> value.isEmpty();
            case GT ->
                value.filter(MachineIndexPropertyTest::isNumber)
                        .filter(has -> Integer.parseInt(has) > Integer.parseInt(asked.get(0)))
                        .isPresent();
            case LT ->
                value.filter(MachineIndexPropertyTest::isNumber)
                        .filter(has -> Integer.parseInt(has) < Integer.parseInt(asked.get(0)))
                        .isPresent();
            case MATCHES -> value.filter(has -> has.matches(asked.get(0))).isPresent();
        };
    }

    private static boolean isNumber(String text) {
        return text.chars().allMatch(Character::isDigit);
    }
}
