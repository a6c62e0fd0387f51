package dev.cella.chaos.simulated;

import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.simulated.Injector.Fault;
import dev.cella.chaos.simulated.SimulatedScheduler.DeathPoint;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The faults of schedulers, agents and users. */
final class ClientFaults {
    /** Several times what the machines hold, in one second: twenty times the usual load. */
    private static final int JOBS_A_MACHINE_OF_A_FULL_CELL = 2;

    private final SimulatedCell cell;
    private final SplittableRandom random;
    private final Intruder intruder;

    ClientFaults(SimulatedCell cell, SplittableRandom random) {
        this.cell = cell;
        this.random = random;
        this.intruder = new Intruder(cell, new SimulatedProcess("intruder", cell.heap()), random.split());
    }

    /** Nothing where it cannot be done. */
    Optional<Fault> begin(PlannedFault fault) {
        return switch (fault.kind().part()) {
            case SCHEDULER -> onScheduler(fault);
            case AGENT -> onAgent(fault);
            default -> onLoad(fault);
        };
    }

    // ---- schedulers

    private Optional<Fault> onScheduler(PlannedFault fault) {
        if (fault.kind() == FaultKind.HOARDER) {
            return Optional.of(intruder.hoard(fault.forMillis()));
        }
        List<SimulatedScheduler<?>> named = cell.schedulers().stream()
                .filter(each -> fault.on().equals("any") || each.name().equals(fault.on()))
                .toList();
        return named.isEmpty() ? Optional.empty() : Optional.of(begin(fault, named.get(random.nextInt(named.size()))));
    }

    private Fault begin(PlannedFault fault, SimulatedScheduler<?> hit) {
        return switch (fault.kind()) {
            case SCHEDULER_KILL -> kill(hit);
            case ZOMBIE_SESSION -> zombie(hit);
            case STALE_VIEW -> staleView(hit);
            case TORN_FEED -> tornFeed(hit);
            case PLANNER_DEATH -> plannerDeath(hit);
            case BAD_PLANNER -> badPlanner(hit);
            case BAD_OBSERVATIONS -> badObservations(hit.observations(), hit.name());
            default -> throw new IllegalArgumentException(fault.kind() + " is no fault of a scheduler");
        };
    }

    private static Fault kill(SimulatedScheduler<?> hit) {
        boolean ran = hit.process().isAlive();
        hit.kill();
        return new Fault(hit.name(), hit::start, () -> ran);
    }

    private static Fault zombie(SimulatedScheduler<?> hit) {
        hit.becomeZombie(true);
        return Fault.counted(hit.name(), hit::overdue, () -> hit.becomeZombie(false));
    }

    private static Fault staleView(SimulatedScheduler<?> hit) {
        FollowedFeed feed = hit.feed();
        long before = feed.disturbed();
        feed.freeze();
        return new Fault(hit.name(), feed::thaw, () -> feed.disturbed() > before);
    }

    private static Fault tornFeed(SimulatedScheduler<?> hit) {
        FollowedFeed feed = hit.feed();
        long before = feed.disturbed();
        feed.repeat(3);
        feed.skip(1);
        return new Fault(hit.name(), () -> {}, () -> feed.disturbed() > before);
    }

    private Fault plannerDeath(SimulatedScheduler<?> hit) {
        long before = hit.deaths();
        hit.dieAt(random.nextBoolean() ? DeathPoint.BEFORE_SUBMIT : DeathPoint.BEFORE_ANSWER);
        return new Fault(hit.name(), () -> hit.dieAt(DeathPoint.NEVER), () -> hit.deaths() > before);
    }

    private static Fault badObservations(BadObservations hit, String name) {
        long before = hit.lied();
        hit.lie(true);
        return new Fault(name, () -> hit.lie(false), () -> hit.lied() > before);
    }

    private Fault badPlanner(SimulatedScheduler<?> hit) {
        long before = hit.spoiled();
        cell.history().untrusted.add(hit.name());
        hit.spoil(ClientFaults::allOnOneMachine);
        return new Fault(hit.name(), () -> hit.spoil(sound -> sound), () -> hit.spoiled() > before);
    }

    /** Every claim of the transaction goes to the machine of the first. Only a transaction of claims alone is spoiled. */
    private static Transaction allOnOneMachine(Transaction planned) {
        if (planned.claims() < 2 || planned.items() > planned.claims()) {
            return planned;
        }
        Transaction.Builder herd = Transaction.builder(planned.id(), planned.scheduler())
                .incarnation(planned.incarnation())
                .basis(planned.basis())
                .atomicity(planned.atomicity())
                .conflictRule(planned.conflictRule())
                .seesOwn(planned.seesOwn());
        planned.session().ifPresent(herd::session);
        for (int claim = 0; claim < planned.claims(); claim++) {
            herd.claim(planned.task(claim), planned.generation(claim), planned.machine(0));
        }
        return herd.build();
    }

    // ---- agents

    private Optional<Fault> onAgent(PlannedFault fault) {
        List<SimulatedAgent> alive = cell.agents().stream()
                .filter(agent -> agent.process().isAlive())
                .toList();
        if (alive.isEmpty()) {
            return Optional.empty();
        }
        SimulatedAgent agent = alive.get(random.nextInt(alive.size()));
        return switch (fault.kind()) {
            case AGENT_KILL -> Optional.of(kill(agent));
            case SLOW_AGENT -> Optional.of(slow(agent));
            case NODE_LOSS -> Optional.of(loseNode(machine(fault.on())));
            case LYING_AGENT -> Optional.of(lie(machine(fault.on())));
            default -> Optional.empty();
        };
    }

    private SimulatedMachine machine(String on) {
        List<SimulatedMachine> all = List.copyOf(cell.machines().values());
        return cell.machines().getOrDefault(on, all.get(random.nextInt(all.size())));
    }

    private static Fault kill(SimulatedAgent agent) {
        agent.kill();
        return new Fault(agent.process().name(), agent::start, () -> true);
    }

    private static Fault slow(SimulatedAgent agent) {
        agent.renewEvery(2 * SimulatedAgent.LEASE_MILLIS * DueEvents.MILLI);
        return Fault.counted(agent.process().name(), agent::overdue, agent::renewAsUsual);
    }

    private Fault loseNode(SimulatedMachine machine) {
        boolean ran = !machine.isDead();
        machine.losePower();
        return new Fault(machine.name(), machine::powerOn, () -> ran);
    }

    private Fault lie(SimulatedMachine machine) {
        long before = machine.lied();
        cell.history().untrusted.add(machine.name());
        machine.lie(true);
        return new Fault(machine.name(), () -> machine.lie(false), () -> machine.lied() > before);
    }

    // ---- the load

    private Optional<Fault> onLoad(PlannedFault fault) {
        Submitter users = cell.submitter();
        return switch (fault.kind()) {
            case STUBBORN_TASKS -> Optional.of(load(users::submitStubborn, users::submitAsUsual));
            case SURGE -> Optional.of(load(done -> users.surge(40, done), () -> {}));
            case FULL_CELL -> Optional.of(load(this::fillCell, () -> {}));
            case HOT_MACHINE -> {
                fillCell(() -> {});
                yield Optional.of(intruder.free(machine(fault.on()).name(), fault.forMillis()));
            }
            case QUOTA_CHANGE -> Optional.of(intruder.lowerQuota());
            case EVICTION_STORM -> Optional.of(intruder.evict(fault.forMillis()));
            case TWO_GANGS -> Optional.of(intruder.submitTwoGangs());
            default -> Optional.empty();
        };
    }

    /**
     * @param begin gets what to call each time that the cell has taken a job of the fault
     */
    private static Fault load(Consumer<Runnable> begin, Runnable heal) {
        long[] taken = {0};
        begin.accept(() -> taken[0]++);
        return new Fault("users", heal, () -> taken[0] > 0);
    }

    private void fillCell(Runnable done) {
        cell.submitter().surge(JOBS_A_MACHINE_OF_A_FULL_CELL * cell.machines().size(), done);
    }
}
