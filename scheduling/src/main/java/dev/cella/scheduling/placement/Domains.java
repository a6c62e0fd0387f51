package dev.cella.scheduling.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * The machines that meet a group's constraints, in classes that are equal in all of the group's wishes: the same affinities
 * met, the same value in each spread and in {@code together}. All machines of a class have the same worth, so a plan compares
 * classes, of which there are few, and draws among the machines of one.
 *
 * <p>Shared by all plans with the same requirements while no machine changes. Belongs to the index and its thread.
 */
public final class Domains {
    /** A machine that lacks the attribute belongs to this value. */
    public static final int NO_VALUE = 0;

    private static final int ANY_VALUE = -1;
    private static final int NARROWED_MAX = 16;

    private final GroupPlacement placement;
    private final List<AttributeIndex> spreads;
    private final AttributeIndex together;
    private final AttributeIndex distinct;
    private final int[] valuesOfSpreads;
    private final Map<MachineSet, Domains> narrowed = new HashMap<>();
    private int[][] members;
    private int[] affinity;
    private final int[][] tiers;

    Domains(GroupPlacement placement, MachineIndex index) {
        this.placement = placement;
        this.spreads = placement.spreads().stream()
                .map(spread -> index.attribute(spread.attribute()))
                .toList();
        this.together = placement.together().map(index::attribute).orElseGet(AttributeIndex::new);
        this.distinct = placement
                .distinct()
                .map(must -> index.attribute(must.attribute()))
                .orElseGet(AttributeIndex::new);
        RoaringBitmap candidates = index.candidates(musts(placement));
        this.members = candidates.isEmpty() ? new int[0][] : new int[][] {candidates.toArray()};
        this.affinity = new int[members.length];
        placement.affinities().forEach(wish -> refine(wish, index));
        spreads.forEach(this::refine);
        placement.together().ifPresent(attribute -> refine(together));
        this.valuesOfSpreads = spreads.stream()
                .mapToInt(spread -> countValues(spread, candidates))
                .toArray();
        this.tiers = classesByTier();
    }

    private Domains(Domains all, MachineSet within) {
        this.placement = all.placement;
        this.spreads = all.spreads;
        this.together = all.together;
        this.distinct = all.distinct;
        List<int[]> split = new ArrayList<>();
        List<Integer> weights = new ArrayList<>();
        for (int place = 0; place < all.members.length; place++) {
            int[] left =
                    Arrays.stream(all.members[place]).filter(within::contains).toArray();
            addClass(left, all.affinity[place], split, weights);
        }
        this.members = split.toArray(new int[0][]);
        this.affinity = weights.stream().mapToInt(Integer::intValue).toArray();
        this.valuesOfSpreads =
                spreads.stream().mapToInt(this::countValuesOfMembers).toArray();
        this.tiers = classesByTier();
    }

    private int countValuesOfMembers(AttributeIndex spread) {
        RoaringBitmap machines = new RoaringBitmap();
        for (int[] slots : members) {
            machines.add(slots);
        }
        return countValues(spread, machines);
    }

    /** The same, restricted to the machines in the set. The result is kept as long as these domains are. */
    public Domains within(MachineSet set) {
        if (narrowed.size() > NARROWED_MAX) {
            narrowed.clear();
        }
        return narrowed.computeIfAbsent(set, machines -> new Domains(this, machines));
    }

    /** A placement that counts tasks by an attribute's values cannot use a machine without a value. */
    private static List<Constraint> musts(GroupPlacement placement) {
        List<Constraint> musts = new ArrayList<>(placement.constraints());
        placement.distinct().ifPresent(must -> musts.add(Constraint.of(must.attribute(), Operator.EXISTS)));
        placement.together().ifPresent(attribute -> musts.add(Constraint.of(attribute, Operator.EXISTS)));
        return musts;
    }

    // ---- refining

    /** Splits each class by whether its machines meet the affinity. */
    private void refine(Affinity wish, MachineIndex index) {
        RoaringBitmap meeting = index.candidates(List.of(wish.wish()));
        List<int[]> split = new ArrayList<>();
        List<Integer> weights = new ArrayList<>();
        for (int place = 0; place < members.length; place++) {
            int weight = affinity[place];
            int[] with = Arrays.stream(members[place]).filter(meeting::contains).toArray();
            int[] without = Arrays.stream(members[place])
                    .filter(slot -> !meeting.contains(slot))
                    .toArray();
            addClass(with, weight + wish.weight(), split, weights);
            addClass(without, weight, split, weights);
        }
        become(split, weights);
    }

    /** Splits each class by the values of the attribute. */
    private void refine(AttributeIndex attribute) {
        List<int[]> split = new ArrayList<>();
        List<Integer> weights = new ArrayList<>();
        for (int place = 0; place < members.length; place++) {
            int weight = affinity[place];
            byValue(attribute, members[place]).forEach(machines -> addClass(machines, weight, split, weights));
        }
        become(split, weights);
    }

    private static List<int[]> byValue(AttributeIndex attribute, int[] machines) {
        int[] counts = new int[attribute.idsEnd() + 1];
        for (int slot : machines) {
            counts[attribute.id(slot) + 1]++;
        }
        int[][] classes = new int[counts.length][];
        Arrays.setAll(classes, value -> new int[counts[value]]);
        for (int slot : machines) {
            int value = attribute.id(slot) + 1;
            classes[value][classes[value].length - counts[value]--] = slot;
        }
        return List.of(classes);
    }

    private static void addClass(int[] machines, int weight, List<int[]> split, List<Integer> weights) {
        if (machines.length > 0) {
            split.add(machines);
            weights.add(weight);
        }
    }

    private void become(List<int[]> split, List<Integer> weights) {
        members = split.toArray(new int[0][]);
        affinity = weights.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int countValues(AttributeIndex attribute, RoaringBitmap machines) {
        boolean[] seen = new boolean[attribute.idsEnd() + 1];
        int count = 0;
        for (int slot : machines.toArray()) {
            int value = attribute.id(slot) + 1;
            count += value == NO_VALUE || seen[value] ? 0 : 1;
            seen[value] = true;
        }
        return count;
    }

    // ---- tiers

    private int[][] classesByTier() {
        Map<List<Integer>, List<Integer>> tiered = new LinkedHashMap<>();
        for (int place = 0; place < members.length; place++) {
            tiered.computeIfAbsent(tierOf(place), tier -> new ArrayList<>()).add(place);
        }
        return tiered.values().stream()
                .map(classes -> classes.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /** Its affinity, and each of its spread values that has a target of its own or is none. */
    private List<Integer> tierOf(int place) {
        List<Integer> tier = new ArrayList<>();
        tier.add(affinity[place]);
        for (int wish = 0; wish < spreads.size(); wish++) {
            int value = spreadValue(place, wish);
            boolean isAlone = value == NO_VALUE
                    || placement
                            .spreads()
                            .get(wish)
                            .targets()
                            .containsKey(spreads.get(wish).value(value - 1));
            tier.add(isAlone ? value : ANY_VALUE);
        }
        return tier;
    }

    /** How many tiers there are. The classes of a tier are equal as long as no task is on their values. */
    public int tiers() {
        return tiers.length;
    }

    /** The classes of a tier, at least one; not to be changed. */
    public int[] classesOf(int tier) {
        return tiers[tier];
    }

    // ---- the classes

    public int classes() {
        return members.length;
    }

    /** The slots of a class; not to be changed. */
    public int[] machines(int place) {
        return members[place];
    }

    /** The sum of the weights of the affinities that the machines of the class meet. */
    public int affinity(int place) {
        return affinity[place];
    }

    /** The value of the class for the spread at {@code wish}: its number, or {@link #NO_VALUE}. */
    public int spreadValue(int place, int wish) {
        return spreadValueOf(members[place][0], wish);
    }

    /** The value of the class for {@code together}, or {@link #NO_VALUE}. */
    public int togetherValue(int place) {
        return togetherValueOf(members[place][0]);
    }

    // ---- values as small numbers, for counting

    public int spreadValueOf(int slot, int wish) {
        return spreads.get(wish).id(slot) + 1;
    }

    public int togetherValueOf(int slot) {
        return together.id(slot) + 1;
    }

    public int distinctValueOf(int slot) {
        return distinct.id(slot) + 1;
    }

    /** One more than the highest number of a value of that spread. */
    public int spreadValuesEnd(int wish) {
        return spreads.get(wish).idsEnd() + 1;
    }

    public int togetherValuesEnd() {
        return together.idsEnd() + 1;
    }

    public int distinctValuesEnd() {
        return distinct.idsEnd() + 1;
    }

    /** How many of {@code tasks} tasks should be on machines with that value, by the spread at {@code wish}. */
    public int wanted(int wish, int value, int tasks) {
        if (value == NO_VALUE) {
            return 0;
        }
        Spread spread = placement.spreads().get(wish);
        // In a large cell the caches do not hold the texts of the values: do not read one that has no target anyway.
        return spread.targets().isEmpty()
                ? spread.wantedOfRest(tasks, valuesOfSpreads[wish])
                : spread.wanted(spreads.get(wish).value(value - 1), tasks, valuesOfSpreads[wish]);
    }
}
