package dev.cella.chaos.processes;

import com.google.protobuf.util.Timestamps;
import dev.cella.chaos.history.History;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.access.CellAccess;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.HttpCellOptions;
import dev.cella.client.proto.CreateTokenRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.RevokeTokenRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Clients that may not do what they ask for: one without a token, and ones whose token is made up, revoked, expired, or for
 * reading alone. Each submits a job again and again. They make their calls on a thread of their own; anybody may ask how the cell
 * answered.
 */
final class Strangers {
    private static final HttpCellOptions SOON = new HttpCellOptions(Duration.ofSeconds(1), Duration.ofSeconds(2));
    private static final String NOBODY = "nobody";
    private static final String MADE_UP = "made-up";
    private static final String REVOKED = "revoked";
    private static final String EXPIRED = "expired";
    private static final String READER = "reader";
    private static final Duration EXPIRES_AFTER = Duration.ofMillis(500);

    private final CellAddresses addresses;
    private final String name;
    private final LongSupplier clock;
    private final HttpCell operator;
    private final ClientCalls calls;
    private final Map<String, HttpCell> callers = new LinkedHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Queue<History.Trespass> accepted = new ConcurrentLinkedQueue<>();
    private HttpCell expiring;
    private int introductions;
    private boolean introduced;
    private int jobs;

    /**
     * @param addresses with the access of an operator
     * @param clock nanoseconds since the run began
     */
    Strangers(CellAddresses addresses, String name, LongSupplier clock) {
        this.addresses = addresses;
        this.name = name;
        this.clock = clock;
        this.operator = new HttpCell(addresses, SOON);
        this.calls = new ClientCalls(name);
        this.expiring = with(CellAccess.NONE);
        callers.put(NOBODY, with(CellAccess.NONE));
        callers.put(MADE_UP, with(CellAccess.ofToken("cella_thisSecretIsMadeUp_0123456789abcdefghijklmnopq")));
    }

    String name() {
        return name;
    }

    ClientCalls calls() {
        return calls;
    }

    /** Calls that the cell did although their caller had no right to them. */
    List<History.Trespass> accepted() {
        return List.copyOf(accepted);
    }

    /** Returns whether each of the five was refused at least once. */
    boolean allRefused() {
        return refused.containsAll(List.of(NOBODY, MADE_UP, REVOKED, EXPIRED, READER));
    }

    String whyNot() {
        return allRefused() ? "" : "only these were refused before it ended: " + refused;
    }

    /** Each of them makes a call, once the operator has made their tokens. */
    void knock() {
        if (!introduced) {
            ClientCalls.attempt(this::introduce);
        }
        if (introduced && !callers.containsKey(EXPIRED)) {
            ClientCalls.attempt(this::useExpired);
        }
        callers.forEach(this::submit);
    }

    /** Without an answer to one of its calls it begins again, with tokens of other names: the cell may have made those. */
    private void introduce() {
        introductions++;
        HttpCell reader = with(CellAccess.ofToken(token(READER, "read", false)));
        HttpCell revoked = with(CellAccess.ofToken(token(REVOKED, "operate", false)));
        operator.revokeToken(
                RevokeTokenRequest.newBuilder().setName(tokenOf(REVOKED)).build());
        expiring = with(CellAccess.ofToken(token(EXPIRED, "operate", true)));
        callers.put(READER, reader);
        callers.put(REVOKED, revoked);
        introduced = true;
    }

    /** Only when the cell itself says that it has expired: clocks jump in some runs. */
    private void useExpired() {
        operator.listTokens().getTokensList().stream()
                .filter(token -> token.getName().equals(tokenOf(EXPIRED)))
                .filter(Token::getExpired)
                .findFirst()
                .ifPresent(token -> callers.put(EXPIRED, expiring));
    }

    private String token(String caller, String scope, boolean expires) {
        CreateTokenRequest.Builder token =
                CreateTokenRequest.newBuilder().setName(tokenOf(caller)).addScopes(scope);
        if (expires) {
            token.setExpiresAt(
                    Timestamps.fromMillis(Instant.now().plus(EXPIRES_AFTER).toEpochMilli()));
        }
        return operator.createToken(token.build()).getSecret();
    }

    private String tokenOf(String caller) {
        return name + "-" + caller + "-" + introductions;
    }

    private HttpCell with(CellAccess access) {
        return new HttpCell(addresses.with(access), SOON);
    }

    private void submit(String caller, HttpCell cell) {
        String job = name + "-" + caller + "-" + jobs++;
        try {
            cell.submitJob(Job.newBuilder()
                    .setName(job)
                    .setType(JobType.JOB_TYPE_BATCH)
                    .addGroups(Group.newBuilder()
                            .setName("main")
                            .setCount(1)
                            .putResources("cpuMilli", 100L)
                            .putResources("memoryMib", 16L)
                            .setRun(Run.newBuilder().addCommand("/bin/true")))
                    .build());
            accepted.add(new History.Trespass(caller, clock.getAsLong(), "submitted " + job));
        } catch (Problem problem) {
            if (problem.type() == ProblemType.UNAUTHORIZED || problem.type() == ProblemType.FORBIDDEN) {
                refused.add(caller);
            }
        } catch (CellUnreachable away) {
            // No answer shows nothing.
        }
    }
}
