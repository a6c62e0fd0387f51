package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.LeaseBounds;
import dev.cella.client.Problem;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.ListSchedulersRequest;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.OffersWanted;
import dev.cella.client.proto.OffersWantedRequest;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.SchedulerList;
import dev.cella.client.proto.SchedulerPause;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerReportAnswer;
import dev.cella.client.proto.SchedulerServiceGrpc;
import dev.cella.client.proto.SchedulerSession;
import dev.cella.client.proto.SchedulerStatus;
import dev.cella.client.proto.SessionClosed;
import dev.cella.state.conflicts.Totals;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Sessions of schedulers, and data about those that have one. Opening a session is a command, because it fences the older
 * session of the same instance. Renewing one is the heartbeat. It is not written into the log, unless it asks for something
 * new.
 */
final class SchedulerService {

    private final Replica replica;
    private final Reads reads;
    private final Commands commands;
    private final KeptPages pages;
    private final SchedulerReports reports;
    private final WaitFacts waits;
    private final FeatureLevels levels;

    SchedulerService(
            Replica replica,
            Reads reads,
            Commands commands,
            KeptPages pages,
            SchedulerReports reports,
            WaitFacts waits,
            FeatureLevels levels) {
        this.levels = levels;
        this.waits = waits;
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.reports = reports;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(SchedulerServiceGrpc.getOpenSessionMethod(), this::open),
                new UnaryMethod<>(SchedulerServiceGrpc.getCloseSessionMethod(), this::close),
                new UnaryMethod<>(SchedulerServiceGrpc.getListSchedulersMethod(), this::list),
                new UnaryMethod<>(
                        SchedulerServiceGrpc.getPauseSchedulerMethod(), request -> pause(request.getName(), true)),
                new UnaryMethod<>(
                        SchedulerServiceGrpc.getResumeSchedulerMethod(), request -> pause(request.getName(), false)),
                new UnaryMethod<>(SchedulerServiceGrpc.getReviveOffersMethod(), request -> wantOffers(request, true)),
                new UnaryMethod<>(
                        SchedulerServiceGrpc.getSuppressOffersMethod(), request -> wantOffers(request, false)),
                new UnaryMethod<>(SchedulerServiceGrpc.getReportSchedulerMethod(), this::report));
    }

    private CompletableFuture<Answer<SchedulerSession>> open(OpenSessionRequest request) {
        Command.OpenSession command = replica.read(view -> command(view, request));
        if (command.renews().isPresent() && isSameAgain(command)) {
            SessionId session = command.renews().get();
            if (replica.leases().renewSession(session).isPresent()) {
                return CompletableFuture.completedFuture(
                        Answer.ok(answer(session.version(), replica.version().number())));
            }
        }
        CompletableFuture<Void> raised = command.offers().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : levels.need(EntryCodec.OFFERS_LEVEL, replica, commands);
        return raised.thenCompose(known -> commands.done(Lane.REPORTS, command)).thenApply(done -> {
            var unused = replica.leases().renewSession(new SessionId(done.identity()));
            return Answer.ok(answer(done.identity(), done.version().number()));
        });
    }

    private static Command.OpenSession command(CellView view, OpenSessionRequest request) {
        long lease = Requests.leaseMillis(request.hasLease(), request.getLease(), LeaseBounds.SESSION_MAX);
        return Requests.checked(
                "",
                () -> new Command.OpenSession(
                        request.getName(),
                        request.getInstance(),
                        request.hasType() ? request.getType() : request.getName(),
                        lease,
                        request.hasSession() ? Optional.of(new SessionId(request.getSession())) : Optional.empty(),
                        participation(view, request)));
    }

    private static Optional<Participation> participation(CellView view, OpenSessionRequest request) {
        boolean says = request.hasRole() || request.hasWeight() || request.getMinimumOfferCount() > 0;
        if (!request.getOffers() && says) {
            throw Requests.bad("offers", "must be true if role, weight or minimumOffer is set");
        }
        if (!request.getOffers()) {
            return Optional.empty();
        }
        Amounts minimum = Requests.amounts("minimumOffer", view.dimensions(), request.getMinimumOfferMap());
        return Optional.of(Requests.checked(
                request.hasWeight() ? "weight" : "role",
                () -> new Participation(
                        request.hasRole() ? request.getRole() : request.getName(),
                        request.hasWeight() ? request.getWeight() : 1,
                        minimum)));
    }

    private boolean isSameAgain(Command.OpenSession command) {
        return replica.read(view -> view.session(command.scheduler(), command.instance()))
                .filter(session -> Optional.of(session.id()).equals(command.renews()))
                .filter(session -> session.type().equals(command.type()))
                .filter(session -> session.leaseMillis() == command.leaseMillis())
                .filter(session ->
                        command.offers().isEmpty() || session.offers().equals(command.offers()))
                .isPresent();
    }

    private static SchedulerSession answer(long session, long version) {
        return SchedulerSession.newBuilder()
                .setSession(session)
                .setVersion(version)
                .build();
    }

    private CompletableFuture<Answer<SessionClosed>> close(CloseSessionRequest request) {
        SessionRow open = replica.read(view -> view.session(request.getName(), request.getInstance()))
                .orElseThrow(() -> Problem.notFound("There is no session of instance " + request.getInstance()
                        + " of scheduler " + request.getName()));
        if (request.hasSession() && request.getSession() != open.id().version()) {
            throw Problem.conflict("FENCED: session " + request.getSession() + " was taken over by " + open.id());
        }
        return commands.done(Lane.REPORTS, new Command.CloseSession(open.id()))
                .thenApply(done -> Answer.ok(SessionClosed.newBuilder()
                        .setVersion(done.version().number())
                        .build()));
    }

    private CompletableFuture<Answer<OffersWanted>> wantOffers(OffersWantedRequest request, boolean wanted) {
        String name = request.getName();
        boolean takes = replica.read(view -> view.sessions().stream()
                .anyMatch(session ->
                        session.scheduler().equals(name) && session.offers().isPresent()));
        if (!takes) {
            throw Problem.notFound("No session of scheduler " + name + " takes part in offers")
                    .withHint("open one with offers: true");
        }
        return commands.done(Lane.REPORTS, new Command.WantOffers(name, wanted))
                .thenApply(done -> Answer.ok(OffersWanted.newBuilder()
                        .setName(name)
                        .setSuppressed(!wanted)
                        .setVersion(done.version().number())
                        .build()));
    }

    /** A name without any session is more likely mistyped than meant for later. */
    private CompletableFuture<Answer<SchedulerPause>> pause(String name, boolean paused) {
        boolean known = replica.read(view -> view.isPaused(name)
                || view.sessions().stream()
                        .anyMatch(session -> session.scheduler().equals(name))
                || view.jobs().stream().anyMatch(job -> isServedBy(name, job)));
        if (!known) {
            throw Problem.notFound("There is no scheduler " + name + ": it has no session, and no job names it")
                    .withHint("cella schedulers, or GET /v1/schedulers, lists those there are");
        }
        return commands.done(Lane.OPERATORS, new Command.PauseScheduler(name, paused))
                .thenApply(done -> Answer.ok(SchedulerPause.newBuilder()
                        .setName(name)
                        .setPaused(paused)
                        .setVersion(done.version().number())
                        .build()));
    }

    private static boolean isServedBy(String scheduler, JobRow job) {
        return !job.isEnded() && job.header().scheduler().equals(scheduler);
    }

    // ---- data about schedulers

    private CompletableFuture<Answer<SchedulerReportAnswer>> report(SchedulerReport report) {
        if (!replica.leads()) {
            throw Problem.noLeader("This replica does not lead the cell");
        }
        Requests.checkDurations(report);
        SessionId session = Requests.checked("session", () -> new SessionId(report.getSession()));
        boolean open = replica.read(view -> view.session(report.getName(), report.getInstance()))
                .filter(row -> row.id().equals(session))
                .isPresent();
        if (!open) {
            throw Problem.conflict("FENCED: session " + session + " of instance " + report.getInstance()
                    + " of scheduler " + report.getName() + " is not open");
        }
        reports.put(session, report, replica.version());
        return CompletableFuture.completedFuture(Answer.ok(SchedulerReportAnswer.newBuilder()
                .setVersion(replica.version().number())
                .setTransactionsWaiting(replica.waiting(Lane.TRANSACTIONS))
                .addAllWaits(report.hasWaitsWithin() ? waitsWithin(report) : List.of())
                .build()));
    }

    private List<MachineWaits> waitsWithin(SchedulerReport report) {
        Map<MachineId, MachineWaits> reported = waits.ask(Duration.ofNanos(Durations.toNanos(report.getWaitsWithin())));
        Map<MachineId, String> names = replica.read(view -> names(view, reported.keySet()));
        List<MachineWaits> named = new ArrayList<>(names.size());
        reported.forEach((machine, each) -> Optional.ofNullable(names.get(machine))
                .ifPresent(name -> named.add(each.toBuilder().setMachine(name).build())));
        return named;
    }

    private static Map<MachineId, String> names(CellView view, Set<MachineId> machines) {
        Map<MachineId, String> names = new HashMap<>();
        machines.forEach(
                machine -> view.findMachine(machine).ifPresent(slot -> names.put(machine, view.machineName(slot))));
        return names;
    }

    private CompletableFuture<Answer<SchedulerList>> list(ListSchedulersRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        if (request.hasPageToken()) {
            return CompletableFuture.completedFuture(answer(pages.next(request, request.getPageToken(), limit)));
        }
        return reads.read(Freshness.of(request), this::sessions)
                .thenApply(sessions -> answer(pages.first(request, listing(sessions), limit)));
    }

    private Shown<List<SessionRow>> sessions(CellView view) {
        List<SessionRow> sessions = view.sessions().stream()
                .sorted(Comparator.comparing(SessionRow::scheduler).thenComparing(SessionRow::instance))
                .toList();
        return Shown.of(view, sessions, changedVersion(replica, sessions));
    }

    /** When one of these sessions last changed, or any session has gone. Call it while reading the cell. */
    static long changedVersion(Replica replica, Collection<SessionRow> sessions) {
        long changed =
                sessions.stream().mapToLong(SessionRow::changedVersion).max().orElse(0);
        return Math.max(changed, replica.sessionsWentVersion());
    }

    /** Runs outside the cell's lock, because counts are not read under it. */
    private Shown<Listing<SchedulerStatus>> listing(Shown<List<SessionRow>> sessions) {
        Listing<SchedulerStatus> listing = new Listing<>();
        for (SessionRow session : sessions.value()) {
            Totals totals = replica.conflicts().totals(session.id());
            boolean paused = replica.read(view -> view.isPaused(session.scheduler()));
            SchedulerStatus status = SchedulerRows.of(session, paused, totals, reports.find(session.id()));
            listing.add(() -> status);
        }
        return new Shown<>(listing, sessions.version(), sessions.changedVersion());
    }

    private static Answer<SchedulerList> answer(KeptPages.Page<SchedulerStatus> page) {
        SchedulerList.Builder list =
                SchedulerList.newBuilder().setVersion(page.version()).addAllSchedulers(page.rows());
        page.next().ifPresent(list::setNextPageToken);
        return Answer.ok(list.build());
    }
}
