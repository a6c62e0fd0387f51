package dev.cella.state.web.service;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.Decision;
import dev.cella.client.proto.EvictionRequest;
import dev.cella.client.proto.ItemKind;
import dev.cella.client.proto.ItemResult;
import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.TransactionServiceGrpc;
import dev.cella.client.proto.Winner;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.Words;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Claim;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Transactions as people and simple schedulers write them: with names. The names are made identities as of one version of the cell,
 * which the transaction says, so that what is committed is what was meant: a machine that is registered anew in between refuses.
 *
 * <p>A name that means nothing becomes an identity that nothing has: whether a task or a machine is known is decided, like
 * everything else, where the transaction stands in the log.
 */
final class TransactionService {
    private static final JobId NO_JOB = new JobId(Long.MAX_VALUE);
    private static final int NO_MACHINE = Integer.MAX_VALUE;

    private final Replica replica;
    private final Commands commands;

    TransactionService(Replica replica, Commands commands) {
        this.replica = replica;
        this.commands = commands;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(new UnaryMethod<>(TransactionServiceGrpc.getCommitMethod(), this::commit));
    }

    private CompletableFuture<Answer<TransactionOutcome>> commit(TransactionRequest request) {
        if (request.getDryRun()) {
            return CompletableFuture.completedFuture(Answer.ok(replica.readAlone(view -> dryRun(view, request))));
        }
        Transaction transaction = replica.read(view -> translate(view, request));
        return commands.result(Lane.TRANSACTIONS, new Command.CommitTransaction(transaction))
                .thenApply(result ->
                        replica.read(view -> Answer.ok(outcome(view, request, outcomeOf(transaction, result)))));
    }

    private static TransactionOutcome dryRun(CellView view, TransactionRequest request) {
        return outcome(view, request, view.preview(translate(view, request)));
    }

    /** A command that could not even be decided as a transaction is a transaction that was refused whole. */
    private static Outcome outcomeOf(Transaction transaction, CommandResult result) {
        if (result instanceof CommandResult.Decided decided) {
            return decided.outcome();
        }
        CommandResult.Refused refused = (CommandResult.Refused) result;
        return Outcome.refused(transaction.id(), refused.version(), refused.reason());
    }

    // ---- names to identities

    private static Transaction translate(CellView view, TransactionRequest request) {
        Transaction.Builder transaction = Requests.checked(
                        "id", () -> Transaction.builder(new TransactionId(request.getId()), request.getScheduler()))
                .atomicity(Words.of(request.getAtomicity()).orElse(Atomicity.INCREMENTAL))
                .conflictRule(Words.of(request.getConflictRule()).orElse(ConflictRule.RESOURCE))
                .seesOwn(request.getSeesOwn())
                .minClaims(request.getMinClaims())
                .machinesAsOf(view.version())
                .askedInNames(digest(request));
        if (request.hasSession()) {
            transaction.session(Requests.checked("session", () -> new SessionId(request.getSession())));
        }
        if (request.hasBasis()) {
            transaction.basis(Requests.checked("basis", () -> new CellVersion(request.getBasis())));
        }
        if (request.hasIncarnation()) {
            transaction.incarnation(incarnation(request.getIncarnation()));
        }
        for (int place = 0; place < request.getClaimsCount(); place++) {
            transaction.claim(claim(view, "claims[" + place + "]", request.getClaims(place)));
        }
        for (int place = 0; place < request.getEvictionsCount(); place++) {
            transaction.evict(eviction(view, "evictions[" + place + "]", request, request.getEvictions(place)));
        }
        for (int place = 0; place < request.getHoldsCount(); place++) {
            transaction.hold(hold(view, "holds[" + place + "]", request.getHolds(place)));
        }
        return Requests.checked("", transaction::build);
    }

    /** Of the request itself: a retry says the same words, whatever they mean by then. */
    private static long digest(TransactionRequest request) {
        byte[] bytes = new byte[request.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            request.writeTo(out);
            out.checkNoSpaceLeft();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a request did not fit its own size", impossible);
        }
        return Digests.of(bytes);
    }

    private static Incarnation incarnation(String text) {
        return Requests.checked("incarnation", () -> new Incarnation(Long.parseUnsignedLong(text, 16)));
    }

    private static Claim claim(CellView view, String path, ClaimRequest request) {
        TaskName name = TaskName.parse(path + ".task", request.getTask());
        Optional<JobRow> job = name.job(view);
        List<Integer> alternates = new ArrayList<>();
        request.getAlternatesList().forEach(machine -> alternates.add(slot(view, machine)));
        Optional<Amounts> amounts = request.getResourcesCount() == 0
                ? Optional.empty()
                : Optional.of(Requests.amounts(path + ".resources", view.dimensions(), request.getResourcesMap()));
        return Requests.checked(
                path,
                () -> new Claim(
                        taskId(job, name),
                        job.map(JobRow::generation).orElse(1),
                        slot(view, request.getMachine()),
                        alternates,
                        amounts));
    }

    private static Eviction eviction(CellView view, String path, TransactionRequest request, EvictionRequest eviction) {
        TaskName victim = TaskName.parse(path + ".task", eviction.getTask());
        OptionalInt claim = eviction.hasFor()
                ? OptionalInt.of(claimOf(path + ".for", request, eviction.getFor()))
                : OptionalInt.empty();
        return Requests.checked(
                path + ".attempt", () -> new Eviction(taskId(victim.job(view), victim), eviction.getAttempt(), claim));
    }

    /** The place of the claim of that task. */
    private static int claimOf(String path, TransactionRequest request, String task) {
        for (int place = 0; place < request.getClaimsCount(); place++) {
            if (request.getClaims(place).getTask().equals(task)) {
                return place;
            }
        }
        throw Requests.bad(path, "must be the task of a claim of this transaction, is \"" + task + "\"");
    }

    private static HoldRequest hold(CellView view, String path, dev.cella.client.proto.HoldRequest hold) {
        Amounts amounts = Requests.amounts(path + ".resources", view.dimensions(), hold.getResourcesMap());
        return Requests.checked(
                path,
                () -> new HoldRequest(
                        view.job(hold.getJob()).map(JobRow::id).orElse(NO_JOB),
                        slot(view, hold.getMachine()),
                        amounts,
                        Durations.toMillis(hold.getExpiresAfter())));
    }

    private static TaskId taskId(Optional<JobRow> job, TaskName name) {
        int group = job.map(row -> row.header().findGroup(name.group())).orElse(-1);
        return group < 0 || name.index() >= JobHeader.TASKS_MAX
                ? new TaskId(NO_JOB, 0, name.index() % JobHeader.TASKS_MAX)
                : new TaskId(job.orElseThrow().id(), group, name.index());
    }

    private static int slot(CellView view, String machine) {
        return view.findMachine(machine).orElse(NO_MACHINE);
    }

    // ---- identities to names

    private static TransactionOutcome outcome(CellView view, TransactionRequest request, Outcome outcome) {
        TransactionOutcome.Builder answer = TransactionOutcome.newBuilder()
                .setId(outcome.id().text())
                .setVersion(outcome.version().number())
                .setOutcome(Decision.valueOf("DECISION_" + outcome.verdict().name()))
                .setSyncVersion(outcome.syncVersion().number());
        outcome.reason().ifPresent(reason -> answer.setReason(reason.name()));
        for (int place = 0; place < outcome.results().size(); place++) {
            answer.addResults(result(view, request, place, outcome.results().get(place)));
        }
        return answer.build();
    }

    private static ItemResult result(
            CellView view, TransactionRequest request, int place, dev.cella.transactions.model.ItemResult decided) {
        ItemResult.Builder result = item(view, request, place, decided)
                .setAccepted(decided.accepted())
                .setConflict(decided.conflict());
        decided.reason().ifPresent(reason -> result.setReason(reason.name()));
        decided.dimension()
                .ifPresent(dimension -> result.setDimension(view.dimensions().nameAt(dimension))
                        .setAsked(decided.asked())
                        .setFree(decided.free()));
        decided.felledBy().ifPresent(result::setFelledBy);
        decided.winner().ifPresent(winner -> result.setWinner(winner(winner)));
        return result.build();
    }

    /** What was asked for at that place: the claims come first, then the evictions, then the holds. */
    private static ItemResult.Builder item(
            CellView view, TransactionRequest request, int place, dev.cella.transactions.model.ItemResult decided) {
        int eviction = place - request.getClaimsCount();
        int hold = eviction - request.getEvictionsCount();
        if (eviction < 0) {
            ClaimRequest claim = request.getClaims(place);
            return ItemResult.newBuilder()
                    .setKind(ItemKind.ITEM_KIND_CLAIM)
                    .setTask(claim.getTask())
                    .setMachine(machine(view, claim, decided));
        }
        if (hold < 0) {
            ItemResult.Builder evicted = ItemResult.newBuilder()
                    .setKind(ItemKind.ITEM_KIND_EVICTION)
                    .setTask(request.getEvictions(eviction).getTask());
            decided.machine().ifPresent(slot -> evicted.setMachine(view.machineName(slot)));
            return evicted;
        }
        return ItemResult.newBuilder()
                .setKind(ItemKind.ITEM_KIND_HOLD)
                .setMachine(request.getHolds(hold).getMachine());
    }

    private static Winner winner(Origin origin) {
        return Winner.newBuilder()
                .setTransaction(origin.transaction().text())
                .setScheduler(origin.scheduler())
                .setVersion(origin.version())
                .build();
    }

    /** By the name that was asked for, as far as there was a choice of one: a kept outcome's slot may be another's by now. */
    private static String machine(CellView view, ClaimRequest claim, dev.cella.transactions.model.ItemResult decided) {
        return claim.getAlternatesCount() == 0 || decided.machine().isEmpty()
                ? claim.getMachine()
                : view.machineName(decided.machine().getAsInt());
    }
}
