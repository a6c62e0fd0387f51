package dev.cella.chaos.processes;

import dev.cella.chaos.history.History;
import java.util.ArrayList;
import java.util.List;

/** The faults of clients that misuse the cell. Owned by the thread of the run. */
final class HostileClients {
    private static final long GUST_EVERY_MILLIS = 500;
    private static final long LIE_EVERY_MILLIS = 300;

    private final ProcessUsers users;
    private final List<String> names = new ArrayList<>();
    private final List<Strangers> strangers = new ArrayList<>();

    HostileClients(ProcessUsers users) {
        this.users = users;
    }

    /** The schedulers and machines that they made up. */
    List<String> names() {
        return List.copyOf(names);
    }

    /** What the cell did for clients that had no right to it. */
    List<History.Trespass> trespasses() {
        return strangers.stream().flatMap(each -> each.accepted().stream()).toList();
    }

    ProcessFault badCredentials() {
        Strangers these = users.strangers(name("stranger-"));
        strangers.add(these);
        Gusts gusts = new Gusts(these.calls(), GUST_EVERY_MILLIS);
        return ProcessFault.on(these.name())
                .lasts(millis -> gusts.blow(millis, these::knock))
                .heals(() -> these.calls().end(() -> {}))
                .until(these::allRefused)
                .isVoid(lasted -> these.whyNot());
    }

    ProcessFault hoarder(long forMillis) {
        ProcessIntruder intruder = intruder();
        return intrusion(intruder)
                .begins(() -> intruder.calls().soon(() -> intruder.hoard(forMillis)))
                .heals(() -> intruder.calls().end(intruder::release));
    }

    ProcessFault evictionStorm() {
        ProcessIntruder intruder = intruder();
        Gusts gusts = new Gusts(intruder.calls(), GUST_EVERY_MILLIS);
        return intrusion(intruder)
                .lasts(millis -> gusts.blow(millis, intruder::evict))
                .heals(() -> intruder.calls().end(() -> {}));
    }

    /** It makes the same plan again and again, and most of it never fits. */
    ProcessFault badPlanner() {
        ProcessIntruder intruder = intruder();
        Gusts gusts = new Gusts(intruder.calls(), GUST_EVERY_MILLIS);
        return intrusion(intruder)
                .begins(() -> intruder.calls().soon(intruder::submitHerd))
                .lasts(millis -> gusts.blow(millis, intruder::herd))
                .heals(() -> intruder.calls().end(intruder::release));
    }

    ProcessFault lyingAgent() {
        ProcessLiar liar = users.liar(name("liar-"));
        Gusts gusts = new Gusts(liar.calls(), LIE_EVERY_MILLIS);
        return ProcessFault.on(liar.machine())
                .lasts(millis -> gusts.blow(millis, liar::lie))
                .heals(() -> liar.calls().end(liar::leave))
                .until(() -> liar.lies() > 0)
                .isVoid(lasted -> liar.whyNot());
    }

    /** The users fill the cell, then one machine loses its tasks, and at the end everybody may have it. */
    ProcessFault hotMachine(List<Part> agents, long forMillis) {
        ProcessIntruder intruder = intruder();
        boolean[] drained = {false};
        return intrusion(intruder)
                .begins(() -> users.surge(20, () -> {}))
                .lasts(millis -> {
                    if (!drained[0] && millis >= forMillis / 2) {
                        drained[0] = true;
                        agents.forEach(agent -> intruder.calls().soon(() -> intruder.drain(agent.name())));
                    }
                })
                .heals(() -> intruder.calls().end(() -> agents.forEach(agent -> intruder.ready(agent.name()))));
    }

    private ProcessIntruder intruder() {
        return users.intruder(name("intruder-"));
    }

    /** A name for each, because a session of the same name would end an older one. */
    private String name(String prefix) {
        String name = prefix + names.size();
        names.add(name);
        return name;
    }

    private static ProcessFault intrusion(ProcessIntruder intruder) {
        return ProcessFault.on(intruder.name())
                .until(() -> intruder.effects() > 0)
                .isVoid(lasted -> intruder.effects() > 0 ? "" : "the cell accepted nothing of it");
    }

    /** The same calls again and again, while the cell answers. */
    private static final class Gusts {
        private final ClientCalls calls;
        private final long everyMillis;
        private long count;

        Gusts(ClientCalls calls, long everyMillis) {
            this.calls = calls;
            this.everyMillis = everyMillis;
        }

        void blow(long millis, Runnable gust) {
            if (count * everyMillis <= millis && calls.isIdle()) {
                count++;
                calls.soon(gust);
            }
        }
    }
}
