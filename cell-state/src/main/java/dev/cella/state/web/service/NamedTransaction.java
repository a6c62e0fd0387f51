package dev.cella.state.web.service;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.EvictionRequest;
import dev.cella.client.proto.ProgressRequest;
import dev.cella.client.proto.ScaleRequest;
import dev.cella.client.proto.StepKind;
import dev.cella.client.proto.StepRequest;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Claim;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Converts a transaction with names into one with identities, as of one version of the cell. The transaction states that
 * version, so the commit means the same objects, and refuses a machine that was registered again in between.
 *
 * <p>An unknown name becomes an identity that nothing has. So whether a task or a machine is known is decided, like everything
 * else, at the transaction's place in the log.
 */
final class NamedTransaction {
    private static final JobId NO_JOB = new JobId(Long.MAX_VALUE);
    private static final int NO_MACHINE = Integer.MAX_VALUE;
    private static final int STEP_REASON_MAX = 256;

    private NamedTransaction() {}

    static Transaction of(CellView view, TransactionRequest request) {
        TransactionId id = Requests.checked("id", () -> new TransactionId(request.getId()));
        Transaction.Builder transaction = Requests.checked(
                        "scheduler", () -> Transaction.builder(id, request.getScheduler()))
                .atomicity(WireWords.of(request.getAtomicity()).orElse(Atomicity.INCREMENTAL))
                .conflictRule(WireWords.of(request.getConflictRule()).orElse(ConflictRule.RESOURCE))
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
            transaction.claim(claim(view, "claims[" + place + "]", request, request.getClaims(place)));
        }
        for (int place = 0; place < request.getEvictionsCount(); place++) {
            transaction.evict(eviction(view, "evictions[" + place + "]", request, request.getEvictions(place)));
        }
        for (int place = 0; place < request.getHoldsCount(); place++) {
            transaction.hold(hold(view, "holds[" + place + "]", request.getHolds(place)));
        }
        for (int place = 0; place < request.getStepsCount(); place++) {
            transaction.step(step(view, "steps[" + place + "]", request.getSteps(place)));
        }
        for (int place = 0; place < request.getScalesCount(); place++) {
            transaction.scale(scale(view, "scales[" + place + "]", request.getScales(place)));
        }
        for (int place = 0; place < request.getProgressCount(); place++) {
            remember(transaction, view, "progress[" + place + "]", request.getProgress(place));
        }
        for (int place = 0; place < request.getOffersCount(); place++) {
            transaction.offer(offer("offers[" + place + "]", request.getOffers(place)));
        }
        for (int place = 0; place < request.getRescindsCount(); place++) {
            transaction.rescind(offer("rescinds[" + place + "]", request.getRescinds(place)));
        }
        transaction.keepsOffers(request.getKeep());
        return Requests.checked("", transaction::build);
    }

    private static OfferId offer(String path, String text) {
        return Requests.checked(path, () -> OfferId.parse(text));
    }

    /**
     * The digest of the request itself: a retry has the same words, whatever they mean by then. Defaults that hold in every
     * cell may be present or missing, and so may amounts of 0. The incarnation is not part of the request.
     */
    private static long digest(TransactionRequest asked) {
        TransactionRequest.Builder words = asked.toBuilder().clearIncarnation();
        if (WireWords.of(asked.getAtomicity()).equals(Optional.of(Atomicity.INCREMENTAL))) {
            words.clearAtomicity();
        }
        if (WireWords.of(asked.getConflictRule()).equals(Optional.of(ConflictRule.RESOURCE))) {
            words.clearConflictRule();
        }
        if (asked.getMinClaims() == 0) {
            words.clearMinClaims();
        }
        for (ClaimRequest.Builder claim : words.getClaimsBuilderList()) {
            zeros(claim.getResourcesMap()).forEach(claim::removeResources);
            if (kind(claim.build()) == ClaimKind.PLACE) {
                claim.clearKind();
            }
        }
        words.getHoldsBuilderList()
                .forEach(hold -> zeros(hold.getResourcesMap()).forEach(hold::removeResources));
        words.getStepsBuilderList().stream()
                .filter(step -> step.getAttempt() == 0)
                .forEach(StepRequest.Builder::clearAttempt);
        return digestOfBytes(words.build());
    }

    private static List<String> zeros(Map<String, Long> amounts) {
        return amounts.entrySet().stream()
                .filter(amount -> amount.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Drops values that equal the jobs' current defaults: amounts of a claim that are those of its task, and the group of a
     * scale if the job has only one.
     */
    static TransactionRequest withoutDefaults(CellView view, TransactionRequest request) {
        TransactionRequest.Builder shorter = request.toBuilder();
        for (ClaimRequest.Builder claim : shorter.getClaimsBuilderList()) {
            Amounts said = Requests.amounts("resources", view.dimensions(), claim.getResourcesMap());
            if (shape(view, claim.getTask()).filter(said::equals).isPresent()) {
                claim.clearResources();
            }
        }
        for (ScaleRequest.Builder scale : shorter.getScalesBuilderList()) {
            if (view.job(scale.getJob()).filter(job -> job.groups().size() == 1).isPresent()) {
                scale.clearGroup();
            }
        }
        return shorter.build();
    }

    private static Optional<Amounts> shape(CellView view, String task) {
        TaskName name = TaskName.parse("task", task);
        return name.job(view).stream()
                .flatMap(job -> job.header().groups().stream())
                .filter(group -> group.name().equals(name.group()))
                .map(GroupHeader::shape)
                .findFirst();
    }

    private static long digestOfBytes(TransactionRequest request) {
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
        try {
            return Incarnation.parse(text);
        } catch (NumberFormatException none) {
            throw Requests.bad("incarnation", "must be up to 16 hexadecimal digits, is \"" + text + "\"");
        }
    }

    private static Claim claim(CellView view, String path, TransactionRequest transaction, ClaimRequest request) {
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
                        job.map(row -> generation(row, transaction)).orElse(1),
                        slot(view, request.getMachine()),
                        alternates,
                        amounts,
                        kind(request)));
    }

    private static ClaimKind kind(ClaimRequest claim) {
        return claim.getKind().getNumber() == 0
                ? ClaimKind.PLACE
                : ClaimKind.valueOf(claim.getKind().name().substring("CLAIM_KIND_".length()));
    }

    /**
     * The job's generation at the basis. If the present generation is newer than the basis, any older number serves, because
     * the cell only needs to see a difference; this uses the previous generation. The first generation has no previous one and
     * always matches.
     */
    private static int generation(JobRow job, TransactionRequest transaction) {
        boolean isLater = transaction.hasBasis() && job.updatedVersion() > transaction.getBasis();
        return isLater ? Math.max(1, job.generation() - 1) : job.generation();
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
        if (hold.hasJob() == hold.hasSession()) {
            throw Requests.bad(
                    path + ".job", hold.hasJob() ? "cannot stand beside session" : "is required, or session");
        }
        Amounts amounts = Requests.amounts(path, view.dimensions(), hold.getResourcesMap(), hold.getMembersMap());
        return Requests.checked(
                path,
                () -> hold.hasSession()
                        ? HoldRequest.offer(
                                new SessionId(hold.getSession()),
                                slot(view, hold.getMachine()),
                                amounts,
                                Durations.toMillis(hold.getExpiresAfter()))
                        : new HoldRequest(
                                view.job(hold.getJob()).map(JobRow::id).orElse(NO_JOB),
                                slot(view, hold.getMachine()),
                                amounts,
                                Durations.toMillis(hold.getExpiresAfter())));
    }

    private static Step step(CellView view, String path, StepRequest step) {
        TaskName task = TaskName.parse(path + ".task", step.getTask());
        return Requests.checked(
                path + ".attempt", () -> new Step(kind(path, step), taskId(task.job(view), task), step.getAttempt()));
    }

    private static Step.Kind kind(String path, StepRequest step) {
        StepKind kind = step.getStep().getNumber() == 0 ? step.getKind() : step.getStep();
        if (kind.getNumber() == 0) {
            throw Requests.bad(path + ".step", "is required");
        }
        if (step.getReason().length() > STEP_REASON_MAX) {
            throw Requests.bad(path + ".reason", "has at most " + STEP_REASON_MAX + " characters");
        }
        return Step.Kind.valueOf(kind.name().substring("STEP_KIND_".length()));
    }

    /**
     * The scale carries the generation at the time the names are read, because a later update may change the groups.
     */
    private static Scale scale(CellView view, String path, ScaleRequest scale) {
        Optional<JobRow> job = view.job(scale.getJob());
        int group = job.map(row -> group(row, path, scale)).orElse(0);
        int count = (int) Math.max(Integer.MIN_VALUE, Math.min(scale.getCount(), Integer.MAX_VALUE));
        return Requests.checked(
                path + ".count",
                () -> new Scale(
                        job.map(JobRow::id).orElse(NO_JOB),
                        group,
                        job.map(JobRow::generation).orElse(1),
                        count));
    }

    private static int group(JobRow job, String path, ScaleRequest scale) {
        return scale.hasGroup() || job.groups().size() > 1 ? Requests.group(path + ".group", job, scale.getGroup()) : 0;
    }

    private static void remember(
            Transaction.Builder transaction, CellView view, String path, ProgressRequest progress) {
        JobId job = view.job(progress.getJob()).map(JobRow::id).orElse(NO_JOB);
        transaction.progress(
                job,
                Requests.checked(
                        path + ".data", () -> Progress.of(progress.getData().toByteArray())));
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
}
