package dev.cella.scheduler.service.offers;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Divides the free amounts of machines among frameworks. Everything free on a machine goes to one of them: to a role below its
 * guarantee, and otherwise by the policy. Machines that such a role lacks are kept for it while it refuses them. Ties go by
 * name. Belongs to one round.
 */
final class Allocation {
    /** The free amounts of a machine. */
    record FreeMachine(int slot, Amounts amounts) {}

    /** A machine offered to a session. */
    record MadeOffer(SessionId to, Framework framework, FreeMachine machine) {}

    private static final Comparator<Role> NEEDIEST_ROLE = Comparator.comparing((Role role) -> !role.isBelowGuarantee())
            .thenComparingDouble(Role::share)
            .thenComparing(Role::name);
    private static final Comparator<Framework> NEEDIEST =
            Comparator.comparingDouble(Framework::share).thenComparing(Framework::name);

    private final AllocationPolicy policy;
    private final SplittableRandom random;
    private final NavigableSet<Role> roles = new TreeSet<>(NEEDIEST_ROLE);
    private final Map<Role, NavigableSet<Framework>> frameworks = new HashMap<>();

    Allocation(Collection<Role> all, AllocationPolicy policy, SplittableRandom random) {
        this.policy = policy;
        this.random = random;
        for (Role role : all) {
            NavigableSet<Framework> wanting = new TreeSet<>(NEEDIEST);
            role.frameworks().stream().filter(Framework::wants).forEach(wanting::add);
            if (!wanting.isEmpty()) {
                frameworks.put(role, wanting);
                roles.add(role);
            }
        }
    }

    /** The offers to make of these machines, in this order. */
    List<MadeOffer> divide(List<FreeMachine> machines) {
        List<MadeOffer> offers = new ArrayList<>();
        for (FreeMachine machine : machines) {
            if (roles.isEmpty()) {
                break;
            }
            offer(machine).ifPresent(offers::add);
        }
        return offers;
    }

    private Optional<MadeOffer> offer(FreeMachine machine) {
        boolean isKept = false;
        for (Role role : inTurn()) {
            if (isKept && !role.isBelowGuarantee()) {
                return Optional.empty();
            }
            for (Framework framework : inTurn(role)) {
                Optional<Framework.Seat> seat = framework.seatFor(machine.slot(), machine.amounts());
                if (seat.isPresent()) {
                    give(machine, framework, seat.get());
                    return Optional.of(new MadeOffer(seat.get().session, framework, machine));
                }
            }
            isKept |= role.keeps(machine.amounts());
        }
        return Optional.empty();
    }

    /** Giving changes both places in the order, so both are removed before and inserted after. */
    private void give(FreeMachine machine, Framework framework, Framework.Seat seat) {
        Role role = framework.role();
        NavigableSet<Framework> wanting = wanting(role);
        roles.remove(role);
        wanting.remove(framework);
        framework.offered(seat, machine.amounts());
        if (framework.wants()) {
            wanting.add(framework);
        }
        if (!wanting.isEmpty()) {
            roles.add(role);
        }
    }

    private NavigableSet<Framework> wanting(Role role) {
        return Objects.requireNonNull(frameworks.get(role));
    }

    // ---- whose turn it is

    private Iterable<Role> inTurn() {
        boolean isGuaranteed = roles.first().isBelowGuarantee();
        return policy == AllocationPolicy.DRF || isGuaranteed ? roles : drawn(List.copyOf(roles));
    }

    private Iterable<Framework> inTurn(Role role) {
        NavigableSet<Framework> wanting = wanting(role);
        return policy == AllocationPolicy.DRF ? wanting : shuffled(List.copyOf(wanting));
    }

    /** A random order: each next one is drawn by weight among the rest. */
    private List<Role> drawn(List<Role> all) {
        List<Role> left = new ArrayList<>(all);
        left.sort(Comparator.comparing(Role::name));
        List<Role> drawn = new ArrayList<>(left.size());
        long weights = left.stream().mapToLong(Role::weight).sum();
        while (!left.isEmpty()) {
            long ticket = random.nextLong(weights);
            int winner = 0;
            while (ticket >= left.get(winner).weight()) {
                ticket -= left.get(winner++).weight();
            }
            weights -= left.get(winner).weight();
            drawn.add(left.remove(winner));
        }
        return drawn;
    }

    private List<Framework> shuffled(List<Framework> all) {
        List<Framework> shuffled = new ArrayList<>(all);
        shuffled.sort(Comparator.comparing(Framework::name));
        shuffle(shuffled, random);
        return shuffled;
    }

    static <T> void shuffle(List<T> list, SplittableRandom random) {
        for (int place = list.size() - 1; place > 0; place--) {
            int other = random.nextInt(place + 1);
            T moved = list.set(place, list.get(other));
            list.set(other, moved);
        }
    }
}
