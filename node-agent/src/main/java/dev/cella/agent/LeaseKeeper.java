package dev.cella.agent;

import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.WaitsMessage;
import dev.cella.client.proto.RenewAnswer;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.Renewal;
import dev.cella.client.proto.ReportedWaits;
import dev.cella.transactions.model.Incarnation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of all machines, with one call each time. Owned by the agent's loop. */
final class LeaseKeeper {
    private static final Logger logger = LoggerFactory.getLogger(LeaseKeeper.class);

    /** How many renewals per lease, so that one answer may be lost. */
    private static final int RENEWALS_A_LEASE = 3;

    private record Held(Machine machine, Registered registration) {}

    private final AgentLoop loop;
    private final AgentClock clock;
    private final AgentConnection cell;
    private final Collection<Machine> machines;
    private final UsageReports usage;
    private final WaitReports waits = new WaitReports();
    private boolean waitsWanted;

    LeaseKeeper(
            AgentLoop loop, AgentClock clock, AgentConnection cell, Collection<Machine> machines, UsageReports usage) {
        this.loop = loop;
        this.clock = clock;
        this.cell = cell;
        this.machines = machines;
        this.usage = usage;
    }

    void start(long leaseMillis) {
        loop.repeat(leaseMillis / RENEWALS_A_LEASE, this::renew);
    }

    private void renew() {
        Map<Incarnation, List<Held>> held = new LinkedHashMap<>();
        for (Machine machine : machines) {
            machine.registration()
                    .filter(registration -> machine.isReachable())
                    .ifPresent(registration -> held.computeIfAbsent(registration.incarnation(), n -> new ArrayList<>())
                            .add(new Held(machine, registration)));
        }
        held.forEach(this::renew);
    }

    private void renew(Incarnation incarnation, List<Held> held) {
        RenewRequest.Builder request = RenewRequest.newBuilder().setIncarnation(incarnation.number());
        held.forEach(each ->
                request.addRegisteredVersions(each.registration().machine().version()));
        request.addAllWaits(waits.take(held.size(), place -> waits(held.get(place))));
        request.addAllUsage(usage.take());
        long askedAtMillis = clock.nowMillis();
        loop.handOver(cell.renew(request.build()), (answer, failure) -> answered(held, answer, askedAtMillis));
    }

    private Optional<ReportedWaits> waits(Held held) {
        return held.machine()
                .waits(waitsWanted)
                .map(matrix -> ReportedWaits.newBuilder()
                        .setRegisteredVersion(held.registration().machine().version())
                        .setWaits(WaitsMessage.of(matrix))
                        .build());
    }

    /** A call without an answer is repeated at the next renewal. */
    private void answered(List<Held> held, @Nullable RenewAnswer answer, long askedAtMillis) {
        if (answer == null || answer.getRenewalsCount() != held.size()) {
            return;
        }
        waitsWanted = answer.getWaitsWanted();
        for (int place = 0; place < held.size(); place++) {
            Held each = held.get(place);
            Renewal renewal = answer.getRenewals(place);
            if (renewal.hasWaitsRefused()) {
                logger.warn(
                        "machine={} event=waits-refused: {}",
                        each.machine().options().name(),
                        renewal.getWaitsRefused());
            }
            if (renewal.getKnown()) {
                each.machine().renewed(each.registration(), askedAtMillis);
            } else if (renewal.hasRestoredVersion()) {
                each.machine().restored(each.registration(), renewal.getRestoredVersion());
            } else {
                each.machine().lost(each.registration());
            }
        }
    }
}
