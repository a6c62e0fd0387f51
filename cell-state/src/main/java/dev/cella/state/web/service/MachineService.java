package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineList;
import dev.cella.client.proto.MachineRemoved;
import dev.cella.client.proto.MachineServiceGrpc;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReadyMachineRequest;
import dev.cella.client.proto.RemoveMachineRequest;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.WireMachineRows;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Command.MachineChange;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The calls about machines: read, register by hand, drain, take back, remove. */
final class MachineService {
    private final Replica replica;
    private final Reads reads;
    private final UsageFacts usage;
    private final WaitFacts waits;
    private final Commands commands;
    private final KeptPages pages;
    private final KnownDimensions dimensions;
    private final RestoreTurns turns;

    MachineService(
            Replica replica,
            Reads reads,
            Commands commands,
            KeptPages pages,
            KnownDimensions dimensions,
            UsageFacts usage,
            WaitFacts waits,
            RestoreTurns turns) {
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.dimensions = dimensions;
        this.usage = usage;
        this.waits = waits;
        this.turns = turns;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(MachineServiceGrpc.getListMachinesMethod(), this::list),
                new UnaryMethod<>(MachineServiceGrpc.getGetMachineMethod(), this::get),
                new UnaryMethod<>(MachineServiceGrpc.getPutMachineMethod(), this::put),
                new UnaryMethod<>(MachineServiceGrpc.getDrainMachineMethod(), this::drain),
                new UnaryMethod<>(MachineServiceGrpc.getReadyMachineMethod(), this::ready),
                new UnaryMethod<>(MachineServiceGrpc.getRemoveMachineMethod(), this::remove));
    }

    private CompletableFuture<Answer<MachineList>> list(ListMachinesRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        if (request.hasPageToken()) {
            return CompletableFuture.completedFuture(answer(pages.next(request, request.getPageToken(), limit)));
        }
        return reads.changed(Freshness.of(request), CellView::machinesChangedVersion)
                .thenApply(changed -> listing(replica.machines(), request.getStateList()))
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    private static Shown<Listing<Machine>> listing(MachinesCopy machines, List<MachineStatus> states) {
        return new Shown<>(
                states.isEmpty() ? all(machines) : inStates(machines, states),
                machines.version().number(),
                machines.changedVersion());
    }

    private static Listing<Machine> all(MachinesCopy machines) {
        return Listing.of(machines.count(), place -> WireMachineRows.of(machines, machines.slotAt(place)));
    }

    private static Listing<Machine> inStates(MachinesCopy machines, List<MachineStatus> states) {
        int[] slots = IntStream.range(0, machines.count())
                .map(machines::slotAt)
                .filter(slot -> states.contains(WireWords.of(machines.status(slot))))
                .toArray();
        return Listing.of(slots.length, place -> WireMachineRows.of(machines, slots[place]));
    }

    private static Answer<MachineList> answer(KeptPages.Page<Machine> page) {
        MachineList.Builder list =
                MachineList.newBuilder().setVersion(page.version()).addAllMachines(page.rows());
        page.next().ifPresent(list::setNextPageToken);
        return Answer.ok(list.build());
    }

    private CompletableFuture<Answer<Machine>> get(GetMachineRequest request) {
        Freshness freshness = Freshness.of(request);
        return reads.read(freshness, view -> find(view, request.getName(), freshness.changedAfter()))
                .thenApply(found -> answer(request.getName(), found));
    }

    private Shown<Optional<Machine>> find(CellView view, String name, OptionalLong changedAfter) {
        OptionalInt slot = view.findMachine(name);
        return slot.isEmpty()
                ? Shown.absent(view, Optional.empty(), changedAfter)
                : Shown.of(
                        view, Optional.of(withSoftFacts(view, slot.getAsInt())), view.changedVersion(slot.getAsInt()));
    }

    private Machine withSoftFacts(CellView view, int slot) {
        Machine.Builder machine = WireMachineRows.of(view, slot).toBuilder();
        usage.ofMachine(view, slot).ifPresent(machine::setUsage);
        waits.find(view.machineId(slot)).ifPresent(machine::setWaits);
        return machine.build();
    }

    private static Answer<Machine> answer(String name, Shown<Optional<Machine>> found) {
        Machine machine = found.value().orElseThrow(() -> unknown(name));
        return Answer.ok(machine.toBuilder().setVersion(found.version()).build());
    }

    static Problem unknown(String name) {
        return Problem.notFound("There is no machine " + name);
    }

    private CompletableFuture<Answer<Machine>> put(PutMachineRequest request) {
        CompletableFuture<?> known =
                dimensions.known(request.getCapacityMap(), request.getMembersMap(), Lane.OPERATORS);
        return known.thenCompose(before -> commands.done(Lane.OPERATORS, replica.read(view -> command(view, request))))
                .thenCompose(done -> shown(request.getName(), done));
    }

    private static Command command(CellView view, PutMachineRequest request) {
        Amounts counted = Requests.amounts("capacity", view.dimensions(), request.getCapacityMap());
        Members members = Requests.members("members", view.dimensions(), request.getMembersMap());
        HandAttributes.check(request.getAttributesMap());
        return Requests.checked(
                "attributes",
                () -> new Command.PutMachine(
                        request.getName(),
                        counted.naming(members),
                        HandAttributes.put(before(view, request.getName()), request.getAttributesMap()),
                        Optional.empty(),
                        request.getForce()));
    }

    /** The machine's attributes if it has an agent. Attributes put by hand are stored besides the agent's. */
    private static Map<String, String> before(CellView view, String name) {
        return view.machine(name)
                .filter(machine -> machine.agent().isPresent())
                .<Map<String, String>>map(MachineRow::attributes)
                .orElse(Map.of());
    }

    CompletableFuture<Answer<Machine>> drain(DrainMachineRequest request) {
        if (request.hasTasks() && !request.getTasks().equals("keep")) {
            throw Requests.bad("tasks", "must be keep");
        }
        if (request.hasTasks() && (request.hasDeadline() || request.hasBatch())) {
            throw Requests.bad("tasks", "stay where they are kept: leave out deadline and batch, or tasks");
        }
        if (request.hasBatch() && !request.hasDeadline()) {
            throw Requests.bad("batch", "applies at the deadline: set deadline too");
        }
        return drained(request).thenCompose(done -> shown(request.getName(), done));
    }

    /**
     * A machine that waits for its agent since a restore would take claims once the agent has registered, unless its mark says
     * otherwise. So that is changed first.
     */
    private CompletableFuture<CommandResult.Done> drained(DrainMachineRequest request) {
        String name = request.getName();
        if (replica.read(view -> RestoreMark.ofReady(view, name)).isEmpty()) {
            return commands.done(Lane.OPERATORS, drainCommand(request));
        }
        return turns.next(
                name,
                () -> replica.read(view -> RestoreMark.drained(view, name))
                        .map(mark -> commands.done(Lane.OPERATORS, mark)
                                .thenCompose(marked -> commands.done(Lane.OPERATORS, drainCommand(request))))
                        .orElseGet(() -> commands.done(Lane.OPERATORS, drainCommand(request))));
    }

    private Command drainCommand(DrainMachineRequest request) {
        MachineId machine = identity(request.getName());
        if (!request.hasDeadline()) {
            return new Command.ChangeMachine(machine, MachineChange.DRAIN, false);
        }
        long deadlineMillis = Durations.toMillis(request.getDeadline());
        Drain.BatchTasks batch = request.hasBatch()
                ? Requests.word("batch", Drain.BatchTasks.class, request.getBatch())
                : Drain.BatchTasks.FINISH;
        return Requests.checked("deadline", () -> new Command.DrainMachine(machine, deadlineMillis, batch));
    }

    private MachineId identity(String name) {
        return replica.read(view -> {
            OptionalInt slot = view.findMachine(name);
            return view.machineId(slot.orElseThrow(() -> unknown(name)));
        });
    }

    private CompletableFuture<Answer<Machine>> ready(ReadyMachineRequest request) {
        return change(request.getName(), MachineChange.READY, false)
                .thenCompose(done -> shown(request.getName(), done));
    }

    private CompletableFuture<Answer<MachineRemoved>> remove(RemoveMachineRequest request) {
        Command remove =
                new Command.ChangeMachine(identity(request.getName()), MachineChange.REMOVE, request.getForce());
        return commands.result(Lane.OPERATORS, remove)
                .thenApply(result -> removed(request, result))
                .thenApply(done -> Answer.ok(MachineRemoved.newBuilder()
                        .setName(request.getName())
                        .setVersion(done.version().number())
                        .build()));
    }

    private CommandResult.Done removed(RemoveMachineRequest request, CommandResult result) {
        boolean isHeld = result instanceof CommandResult.Refused refused && refused.reason() == Reason.STILL_HELD;
        if (isHeld && !request.getForce()) {
            throw stillHeld(request.getName());
        }
        return Commands.done(result);
    }

    private Problem stillHeld(String name) {
        int tasks = replica.read(view -> {
            OptionalInt slot = view.findMachine(name);
            return slot.isPresent() ? view.tasksOn(slot.getAsInt()) : 0;
        });
        return Problem.conflict("STILL_HELD: " + name + " has " + (tasks == 1 ? "1 task" : tasks + " tasks"))
                .withHint(("drain it first (cella machine drain %s, or POST /v1/machines/%s:drain) and wait until its"
                                + " tasks have ended; --force removes it at once, and its tasks are LOST")
                        .formatted(name, name));
    }

    private CompletableFuture<CommandResult.Done> change(String name, MachineChange change, boolean force) {
        return commands.done(Lane.OPERATORS, new Command.ChangeMachine(identity(name), change, force));
    }

    /** The machine as the command has left it, or later. */
    private CompletableFuture<Answer<Machine>> shown(String name, CommandResult.Done done) {
        Freshness atLeast = Freshness.atLeast(done.version());
        return reads.read(atLeast, view -> find(view, name, OptionalLong.empty()))
                .thenApply(found -> answer(name, found));
    }
}
