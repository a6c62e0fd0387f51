package dev.cella.agent;

import com.google.protobuf.Duration;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers machines, a few at a time. Owned by the agent's loop. */
final class Registrar {
    private static final Logger logger = LoggerFactory.getLogger(Registrar.class);

    private static final int CALLS_MAX = 64;

    private record Asked(Machine machine, String bootId) {}

    private final AgentLoop loop;
    private final AgentConnection cell;
    private final NodeAgentOptions options;
    private final String bootId;
    private final String logAddress;
    private final Consumer<String> refusedForGood;
    private final Deque<Asked> waiting = new ArrayDeque<>();
    private int calls;
    private boolean isRefused;

    /**
     * The boot id is never reused; a machine that registers again appends the count.
     *
     * @param refusedForGood receives the reason if the cell does not understand the first registration of a machine
     */
    Registrar(
            AgentLoop loop,
            AgentConnection cell,
            NodeAgentOptions options,
            String bootId,
            String logAddress,
            Consumer<String> refusedForGood) {
        this.loop = loop;
        this.cell = cell;
        this.options = options;
        this.bootId = bootId;
        this.logAddress = logAddress;
        this.refusedForGood = refusedForGood;
    }

    /** Returns whether a machine's row shows a registration of this agent. */
    boolean isOurs(Machine machine, String registeredBootId) {
        return registeredBootId.startsWith(bootId)
                || machine.earlier()
                        .filter(earlier -> earlier.bootId().equals(registeredBootId))
                        .isPresent();
    }

    /**
     * Registers the machine. If the cell still knows an earlier registration, the machine continues with it. So this asks for
     * it first, because tasks of a lost registration must end before there is another. A machine that can start nothing now
     * asks again later, or it would take tasks and lose each lease.
     */
    void register(Machine machine, int epoch) {
        if (!machine.isReachable()) {
            loop.handOver(machine::notRegistered);
            return;
        }
        Optional<KeptRegistration> earlier = machine.earlier();
        Optional<String> restored = machine.restoredBootId();
        if (restored.isPresent()) {
            waiting.add(new Asked(machine, restored.get()));
            callSome();
        } else if (earlier.isPresent() && epoch == 1) {
            resume(machine, earlier.get());
        } else {
            waiting.add(new Asked(machine, bootId + "." + epoch));
            callSome();
        }
    }

    private void resume(Machine machine, KeptRegistration earlier) {
        RenewRequest request = RenewRequest.newBuilder()
                .setIncarnation(earlier.registered().incarnation().number())
                .addRegisteredVersions(earlier.registered().machine().version())
                .build();
        loop.handOver(cell.renew(request), (answer, failure) -> {
            if (answer == null || answer.getRenewalsCount() != 1) {
                sayOnce(machine.options().name(), failure);
                machine.notRegistered();
            } else if (answer.getRenewals(0).getKnown()) {
                waiting.add(new Asked(machine, earlier.bootId()));
                callSome();
            } else if (answer.getRenewals(0).hasRestoredVersion()) {
                machine.restoredBefore(earlier, answer.getRenewals(0).getRestoredVersion());
            } else {
                machine.lostBefore(earlier.registered());
            }
        });
    }

    /** The registered machine has changed. It stays the same incarnation, because its boot id is the same. */
    void update(Machine machine, String registeredBootId) {
        waiting.add(new Asked(machine, registeredBootId));
        callSome();
    }

    private void callSome() {
        while (!waiting.isEmpty() && calls < CALLS_MAX) {
            call(waiting.remove());
        }
    }

    private void call(Asked asked) {
        calls++;
        loop.handOver(cell.register(request(asked)), (answer, failure) -> answered(asked, answer, failure));
    }

    private RegisterRequest request(Asked asked) {
        MachineOptions machine = asked.machine().options();
        long leaseMillis = options.lease().toMillis();
        return RegisterRequest.newBuilder()
                .setMachine(machine.name())
                .setBootId(asked.bootId())
                .setAddress(logAddress)
                .putAllCapacity(machine.capacity())
                .putAllMembers(machine.members())
                .putAllAttributes(asked.machine().attributes())
                .setLease(Duration.newBuilder()
                        .setSeconds(leaseMillis / 1_000)
                        .setNanos((int) (leaseMillis % 1_000) * 1_000_000))
                .build();
    }

    private void answered(Asked asked, @Nullable Registration answer, @Nullable Throwable failure) {
        calls--;
        String name = asked.machine().options().name();
        if (answer != null) {
            isRefused = false;
            logger.debug("machine={} version={} event=registered", name, answer.getRegisteredVersion());
            Registered registered = new Registered(
                    new Incarnation(answer.getIncarnation()), new MachineId(answer.getRegisteredVersion()));
            if (asked.machine().options().kind().keepsTasks()) {
                new KeptRegistration(asked.bootId(), registered).write(options.dataDirectory(), name);
            }
            asked.machine().registered(registered, asked.bootId(), answer.getVersion());
        } else {
            sayOnce(name, failure);
            asked.machine().notRegistered();
            endIfRefusedForGood(asked.machine(), failure);
        }
        callSome();
    }

    /** A machine that was registered before has tasks, and the cell may understand it again. */
    private void endIfRefusedForGood(Machine machine, @Nullable Throwable failure) {
        boolean isNotUnderstood =
                cause(failure) instanceof Problem problem && problem.type() == ProblemType.BAD_REQUEST;
        if (isNotUnderstood && !machine.firstRegistered().isDone()) {
            refusedForGood.accept(
                    "the cell refuses the machine " + machine.options().name() + ": " + why(failure));
        }
    }

    /** Logs a failure only once, and not for each of a thousand machines every few seconds while the cell is away. */
    private void sayOnce(String name, @Nullable Throwable failure) {
        if (!isRefused) {
            logger.warn("machine={} event=not-registered: {}; still trying", name, why(failure));
        }
        isRefused = true;
    }

    private static String why(@Nullable Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof Problem problem ? problem.detail() : String.valueOf(cause);
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }
}
