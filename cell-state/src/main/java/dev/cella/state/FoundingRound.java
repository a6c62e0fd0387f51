package dev.cella.state;

import dev.cella.client.access.Tls;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.Founding;
import dev.cella.state.core.Membership;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.web.service.MemberDoors;
import dev.cella.state.web.service.MemberDoors.Standing;
import dev.cella.state.web.service.MemberDoors.Told;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other replicas for their directories, again and again, until {@link Founding} says what this replica may do. Runs
 * on the thread that starts the server, which has nothing else to do before.
 */
final class FoundingRound {
    private static final Logger LOG = LoggerFactory.getLogger(FoundingRound.class);

    private static final long PAUSE_MILLIS = 100;

    private final DataDirectory directory;
    private final Membership membership;
    private final MemberDoors doors;
    private String waitingFor = "";

    FoundingRound(DataDirectory directory, Membership membership, Optional<Tls> tls) {
        this.doors = new MemberDoors(tls);
        this.directory = directory;
        this.membership = membership;
    }

    /** Returns when the directory may be used, whether it was founded now or earlier. */
    void await() throws IOException, StartRefusedException, InterruptedException {
        Optional<Founding.Step> step = nextStep();
        while (step.isPresent()) {
            take(step.get());
            step = nextStep();
        }
    }

    /**
     * Refuses a directory that is no longer a member of the cell or was replaced, if the leader says so: another replica may not
     * have heard of the newest members yet. Replicas that do not answer are passed over, because a start must not wait for the
     * others. A replica that has not finished joining goes on: a leader that was not asked to add it does not know it.
     */
    void checkIsStillMember() throws StartRefusedException {
        for (Map.Entry<String, Told> answer : askAll().entrySet()) {
            Optional<StartRefusedException> refused =
                    directory.refusedBy(answer.getKey(), answer.getValue().identity());
            if (refused.isPresent() && counts(directory, answer.getValue())) {
                throw refused.get();
            }
            Optional<Long> confirmed = confirmedHere(directory, answer.getValue());
            confirmed.ifPresent(entry -> directory.mustReach(answer.getKey(), entry));
        }
    }

    /** Returns whether a replica that leaves out this one thereby says that it is no member any more. */
    static boolean counts(DataDirectory directory, Told told) {
        return told.standing() == Standing.LEADS && directory.identity().mayBeMember();
    }

    /** Up to which entry this directory's replica has confirmed the log, as another one of the cell has learned it. */
    static Optional<Long> confirmedHere(DataDirectory directory, Told told) {
        DirectoryIdentity own = directory.identity();
        return told.identity().cellId().equals(own.cellId())
                ? Optional.ofNullable(told.confirmed().get(own.peerId(directory.replica(Membership.alone()))))
                : Optional.empty();
    }

    private Optional<Founding.Step> nextStep() {
        return directory.isBegun(membership) ? Optional.empty() : directory.foundingStep(membership, askIdentities());
    }

    private void take(Founding.Step step) throws IOException, StartRefusedException, InterruptedException {
        if (step instanceof Founding.Refuse refuse) {
            throw refuse.why();
        }
        if (step instanceof Founding.Begin begin) {
            directory.founded(begin.founded());
            LOG.info(
                    "cell={} replica={}: founded with {}",
                    directory.cell(),
                    membership.self(),
                    begin.founded().members());
            return;
        }
        sayOnce(((Founding.Wait) step).until());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }

    private void sayOnce(String until) {
        if (!until.equals(waitingFor)) {
            waitingFor = until;
            LOG.info(
                    "cell={} replica={}: the directory is empty, waits for {}",
                    directory.cell(),
                    membership.self(),
                    until);
        }
    }

    private Map<String, DirectoryIdentity> askIdentities() {
        Map<String, DirectoryIdentity> identities = new HashMap<>();
        askAll().forEach((name, told) -> identities.put(name, told.identity()));
        return identities;
    }

    private Map<String, Told> askAll() {
        Map<String, CompletableFuture<Optional<Told>>> asked = new HashMap<>();
        others(directory, membership).forEach((name, address) -> asked.put(name, doors.ask(address)));
        Map<String, Told> answers = new HashMap<>();
        asked.forEach((name, answer) -> answer.join().ifPresent(told -> answers.put(name, told)));
        return answers;
    }

    /** The others as configured, and as the log has told this replica. */
    static Map<String, URI> others(DataDirectory directory, Membership membership) {
        Map<String, URI> others = new HashMap<>();
        membership.others().forEach(other -> others.put(other.name(), other.address()));
        directory.identity().peers().stream()
                .filter(peer -> !peer.address().isEmpty())
                .forEach(peer -> others.put(peer.name(), URI.create(peer.address())));
        others.remove(directory.replica(membership));
        return others;
    }
}
