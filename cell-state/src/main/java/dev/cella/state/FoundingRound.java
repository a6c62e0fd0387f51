package dev.cella.state;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.Founding;
import dev.cella.state.core.Membership;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.web.FoundingDoor;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other replicas of their directories, again and again, until {@link Founding} says what this one may do. By the
 * thread that starts the server, which has nothing else to do before.
 */
final class FoundingRound {
    private static final Logger LOG = LoggerFactory.getLogger(FoundingRound.class);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final long PAUSE_MILLIS = 100;

    private final DataDirectory directory;
    private final Membership membership;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build();
    private String waitingFor = "";

    FoundingRound(DataDirectory directory, Membership membership) {
        this.directory = directory;
        this.membership = membership;
    }

    /** Returns when the directory may be used, founded now or long ago. */
    void await() throws IOException, StartRefusedException, InterruptedException {
        Optional<Founding.Step> step = nextStep();
        while (step.isPresent()) {
            take(step.get());
            step = nextStep();
        }
    }

    private Optional<Founding.Step> nextStep() {
        return directory.identity().isFounded() ? Optional.empty() : directory.foundingStep(membership, askAll());
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
                    "cell={} replica={}: empty, waits for {} to found the cell",
                    directory.cell(),
                    membership.self(),
                    until);
        }
    }

    private Map<String, DirectoryIdentity> askAll() {
        Map<String, CompletableFuture<Optional<DirectoryIdentity>>> asked = new HashMap<>();
        membership.others().forEach(other -> asked.put(other.name(), ask(other)));
        Map<String, DirectoryIdentity> answers = new HashMap<>();
        asked.forEach((name, answer) -> answer.join().ifPresent(identity -> answers.put(name, identity)));
        return answers;
    }

    private CompletableFuture<Optional<DirectoryIdentity>> ask(Membership.Member other) {
        HttpRequest request = HttpRequest.newBuilder(other.address().resolve(FoundingDoor.IDENTITY_PATH))
                .timeout(ANSWER_MAX)
                .build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .thenApply(FoundingRound::read)
                .exceptionally(silent -> Optional.empty());
    }

    private static Optional<DirectoryIdentity> read(HttpResponse<String> answer) {
        return answer.statusCode() == 200 ? Optional.of(DirectoryIdentity.parse(answer.body())) : Optional.empty();
    }
}
