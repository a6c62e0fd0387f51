package dev.cella.scheduler.service.offers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.service.offers.Allocation.FreeMachine;
import dev.cella.scheduler.service.offers.Allocation.MadeOffer;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The allocation of free machines to frameworks. */
class AllocationTest {
    private final long[] totals = {100, 100};
    private final List<Role> roles = new ArrayList<>();
    private long sessions;

    private Role role(String name, int weight, Amounts guarantee) {
        Role role = new Role(name, weight, guarantee, totals);
        roles.add(role);
        return role;
    }

    private Role role(String name) {
        return role(name, 1, Amounts.NONE);
    }

    private Framework framework(String name, Role role, int outstandingMax, IntPredicate refuses) {
        Framework framework = new Framework(name, role, Amounts.NONE, outstandingMax);
        framework.add(new Framework.Seat(new SessionId(++sessions), false, 0, refuses));
        return framework;
    }

    private Framework framework(String name, Role role) {
        return framework(name, role, 50, AllocationTest::refusesNothing);
    }

    private static List<FreeMachine> machines(int count, long cpu, long memory) {
        return IntStream.range(0, count)
                .mapToObj(slot -> new FreeMachine(slot, Amounts.of(cpu, memory)))
                .toList();
    }

    private List<MadeOffer> divide(AllocationPolicy policy, List<FreeMachine> machines) {
        return new Allocation(roles, policy, new SplittableRandom(1)).divide(machines);
    }

    private Map<String, Long> counts(List<FreeMachine> machines) {
        return divide(AllocationPolicy.DRF, machines).stream()
                .collect(Collectors.groupingBy(offer -> offer.framework().name(), TreeMap::new, Collectors.counting()));
    }

    @Test
    void equalShares_goByName() {
        framework("b", role("rb"));
        framework("a", role("ra"));
        List<MadeOffer> offers = divide(AllocationPolicy.DRF, machines(3, 10, 10));
        assertThat(offers).extracting(offer -> offer.framework().name()).containsExactly("a", "b", "a");
    }

    @Test
    void wholeMachine_goesToOne() {
        framework("a", role("ra"));
        framework("b", role("rb"));
        List<MadeOffer> offers = divide(AllocationPolicy.DRF, machines(1, 60, 60));
        assertThat(offers).hasSize(1);
        assertThat(offers.get(0).machine().amounts()).isEqualTo(Amounts.of(60, 60));
    }

    @Test
    void weights_divideAmongRoles_andFrameworksOfOneShareIt() {
        Role heavy = role("heavy", 2, Amounts.NONE);
        framework("h1", heavy);
        framework("h2", heavy);
        framework("light", role("light"));
        assertThat(counts(machines(9, 10, 10))).isEqualTo(Map.of("h1", 3L, "h2", 3L, "light", 3L));
    }

    @Test
    void heldAmounts_countByTheDominantDimension() {
        Framework cpu = framework("cpu", role("rc"));
        Framework memory = framework("memory", role("rm"));
        cpu.holds(Amounts.of(40, 1));
        memory.holds(Amounts.of(1, 30));
        assertThat(counts(machines(2, 10, 10))).isEqualTo(Map.of("cpu", 1L, "memory", 1L));
        assertThat(cpu.share()).isEqualTo(0.5);
    }

    @Test
    void refusedMachine_goesToAnother_andOneThatNobodyWantsToNobody() {
        framework("a", role("ra"), 50, machine -> machine != 2);
        framework("b", role("rb"), 50, machine -> machine == 1);
        List<MadeOffer> offers = divide(AllocationPolicy.DRF, machines(3, 10, 10));
        assertThat(offers)
                .extracting(offer -> offer.framework().name() + offer.machine().slot())
                .containsExactly("b0", "a2");
    }

    @Test
    void offersOutstanding_endAtTheLimit_andSuppressedGetNone() {
        framework("a", role("ra"), 2, AllocationTest::refusesNothing);
        Framework silent = new Framework("silent", role("rs"), Amounts.NONE, 50);
        silent.add(new Framework.Seat(new SessionId(99), true, 0, AllocationTest::refusesNothing));
        assertThat(counts(machines(5, 10, 10))).isEqualTo(Map.of("a", 2L));
    }

    @Test
    void lessThanTheMinimumOffer_isNotOffered() {
        Framework picky = new Framework("picky", role("r"), Amounts.of(20), 50);
        picky.add(new Framework.Seat(new SessionId(1), false, 0, AllocationTest::refusesNothing));
        assertThat(counts(machines(1, 19, 50))).isEmpty();
        assertThat(counts(machines(1, 20, 0))).isEqualTo(Map.of("picky", 1L));
    }

    @Test
    void guarantee_comesBeforeShares_untilItIsMet() {
        framework("plain", role("plain", 100, Amounts.NONE));
        Framework due = framework("due", role("due", 1, Amounts.of(30)));
        due.holds(Amounts.of(10, 0));
        List<MadeOffer> offers = divide(AllocationPolicy.DRF, machines(4, 10, 10));
        assertThat(offers)
                .extracting(offer -> offer.framework().name())
                .containsExactly("due", "due", "plain", "plain");
    }

    @Test
    void guaranteedRole_keepsMachinesThatItRefuses_upToItsGuarantee() {
        framework("plain", role("plain"));
        framework("due", role("due", 1, Amounts.of(20)), 50, machine -> true);
        List<MadeOffer> offers = divide(AllocationPolicy.DRF, machines(4, 10, 10));
        assertThat(offers)
                .extracting(offer -> offer.framework().name() + offer.machine().slot())
                .containsExactly("plain2", "plain3");
    }

    @Test
    void guaranteeAboveTheCell_isOneOfTheWholeCell() {
        Role role = role("all", 1, Amounts.of(1_000_000, 0));
        framework("f", role).holds(Amounts.of(100, 5));
        assertThat(role.isBelowGuarantee()).isFalse();
        assertThat(role.canGive(Amounts.of(1, 0))).isFalse();
        assertThat(role.canGive(Amounts.of(0, 1))).isTrue();
    }

    /** Work conservation: a machine stays without an offer only if no framework would take it. */
    @ParameterizedTest
    @EnumSource(AllocationPolicy.class)
    void machineWithoutAnOffer_isOneThatNobodyTakes(AllocationPolicy policy) {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            roles.clear();
            List<Framework> frameworks = new ArrayList<>();
            for (int number = 0; number < 1 + random.nextInt(6); number++) {
                frameworks.add(randomFramework("f" + number, random));
            }
            List<FreeMachine> free = IntStream.range(0, 20)
                    .mapToObj(slot -> new FreeMachine(slot, Amounts.of(1 + random.nextInt(9), 1 + random.nextInt(9))))
                    .toList();
            List<MadeOffer> offers = new Allocation(roles, policy, random).divide(free);
            Set<FreeMachine> offered = offers.stream().map(MadeOffer::machine).collect(Collectors.toSet());
            assertThat(offered).as("seed %d: none twice", seed).hasSameSizeAs(offers);
            for (FreeMachine machine : free) {
                boolean isTaken = offered.contains(machine);
                assertThat(isTaken || frameworks.stream().noneMatch(each -> takes(each, machine)))
                        .as("seed %d, %s", seed, machine)
                        .isTrue();
            }
        }
    }

    private Framework randomFramework(String name, SplittableRandom random) {
        Role role = role("r" + name, 1 + random.nextInt(3), Amounts.NONE);
        Framework framework =
                new Framework(name, role, Amounts.of(random.nextInt(6), random.nextInt(6)), 1 + random.nextInt(12));
        int refused = random.nextInt(20);
        framework.add(new Framework.Seat(
                new SessionId(++sessions), random.nextInt(5) == 0, random.nextInt(2), machine -> machine < refused));
        return framework;
    }

    private static boolean takes(Framework framework, FreeMachine machine) {
        return framework.seatFor(machine.slot(), machine.amounts()).isPresent();
    }

    /** "The chance of the first draw is weight over the sum of weights." */
    @Test
    void lottery_firstDrawIsByWeight() {
        SplittableRandom random = new SplittableRandom(11);
        int draws = 20_000;
        int won = 0;
        for (int draw = 0; draw < draws; draw++) {
            roles.clear();
            framework("a", role("ra", 3, Amounts.NONE));
            framework("b", role("rb", 1, Amounts.NONE));
            List<MadeOffer> offers =
                    new Allocation(roles, AllocationPolicy.LOTTERY, random).divide(machines(1, 10, 10));
            won += offers.get(0).framework().name().equals("a") ? 1 : 0;
        }
        assertThat(won / (double) draws).isBetween(0.74, 0.76);
    }

    @Test
    void sessionsOfOneFramework_getOffersInTurn() {
        Framework framework = framework("a", role("ra"));
        framework.add(new Framework.Seat(new SessionId(50), false, 0, AllocationTest::refusesNothing));
        List<MadeOffer> offers = divide(AllocationPolicy.DRF, machines(4, 10, 10));
        assertThat(offers).extracting(offer -> offer.to().version()).containsExactly(1L, 50L, 1L, 50L);
    }

    private static boolean refusesNothing(int machine) {
        return machine < 0;
    }
}
