package dev.cella.state.web.service;

import dev.cella.client.job.Names;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.Evicts;
import dev.cella.client.proto.GetRightsRequest;
import dev.cella.client.proto.MachineRule;
import dev.cella.client.proto.PutRightsRequest;
import dev.cella.client.proto.SchedulerRights;
import dev.cella.client.proto.SchedulerServiceGrpc;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Rights;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The rights of schedulers: an operator sets them, and every commit enforces them. */
final class RightsService {
    /** The operators' names in the job file. */
    private static final Map<dev.cella.transactions.model.MachineRule.Operator, String> WORDS = words();

    private final Replica replica;
    private final Reads reads;
    private final Commands commands;
    private final FeatureLevels levels;

    RightsService(Replica replica, Reads reads, Commands commands, FeatureLevels levels) {
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.levels = levels;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(SchedulerServiceGrpc.getGetRightsMethod(), this::get),
                new UnaryMethod<>(SchedulerServiceGrpc.getPutRightsMethod(), this::put));
    }

    private CompletableFuture<Answer<SchedulerRights>> get(GetRightsRequest request) {
        return shown(Freshness.of(request), request.getName());
    }

    private CompletableFuture<Answer<SchedulerRights>> shown(Freshness freshness, String scheduler) {
        return reads.read(
                        freshness,
                        view -> Shown.of(
                                view, row(view, scheduler), view.version().number()))
                .thenApply(shown -> Answer.ok(shown.value()));
    }

    private CompletableFuture<Answer<SchedulerRights>> put(PutRightsRequest request) {
        Rights rights = rights(request);
        Command command = Requests.checked("name", () -> new Command.SetRights(request.getName(), rights));
        return raised(rights)
                .thenCompose(known -> commands.done(Lane.OPERATORS, command))
                .thenCompose(done -> shown(Freshness.atLeast(done.version()), request.getName()));
    }

    /** Raises the cell to the level that knows all of these rights. */
    private CompletableFuture<Void> raised(Rights rights) {
        if (rights.isOfLevel7()) {
            return levels.need(EntryCodec.SPARE_LEVEL, replica, commands);
        }
        return rights.isPlain()
                ? CompletableFuture.completedFuture(null)
                : levels.need(EntryCodec.POLICY_LEVEL, replica, commands);
    }

    private static Rights rights(PutRightsRequest request) {
        List<dev.cella.transactions.model.MachineRule> rules = new ArrayList<>();
        for (int place = 0; place < request.getMachinesCount(); place++) {
            rules.add(rule("machines[" + place + "]", request.getMachines(place)));
        }
        for (int place = 0; place < request.getPoolsCount(); place++) {
            String path = "pools[" + place + "]";
            Names.refusePool(request.getPools(place)).ifPresent(why -> {
                throw Requests.bad(path, why);
            });
        }
        int priorityMax = priorityMax(request);
        return Requests.checked(
                "pools",
                () -> new Rights(
                        priorityMax,
                        request.getPoolsList(),
                        !request.hasHolds() || request.getHolds(),
                        evicts(request.getEvicts()),
                        rules,
                        !request.hasOffers() || request.getOffers(),
                        sparePercentMax(request)));
    }

    private static int priorityMax(PutRightsRequest request) {
        int priority = request.hasPriorityMax() ? request.getPriorityMax() : Rights.UNSET.priorityMax();
        if (priority < 0 || priority > JobHeader.PRIORITY_MAX) {
            throw Requests.bad("priorityMax", "must be 0-" + JobHeader.PRIORITY_MAX + ", is " + priority);
        }
        return priority;
    }

    private static int sparePercentMax(PutRightsRequest request) {
        int percent = request.hasSparePercentMax() ? request.getSparePercentMax() : Rights.SPARE_UNLIMITED;
        if (percent < 0 || percent > Rights.SPARE_UNLIMITED) {
            throw Requests.bad("sparePercentMax", "must be 0-100, is " + percent);
        }
        return percent;
    }

    private static Rights.Evicts evicts(Evicts evicts) {
        return evicts.getNumber() == 0
                ? Rights.UNSET.evicts()
                : Rights.Evicts.valueOf(evicts.name().substring("EVICTS_".length()));
    }

    private static dev.cella.transactions.model.MachineRule rule(String path, MachineRule rule) {
        List<String> values = rule.hasValue() ? List.of(rule.getValue()) : rule.getValuesList();
        if (rule.hasValue() && rule.getValuesCount() > 0) {
            throw Requests.bad(path + ".values", "cannot stand beside value");
        }
        return Requests.checked(
                path,
                () -> new dev.cella.transactions.model.MachineRule(
                        rule.getAttribute(), operator(path + ".operator", rule.getOperator()), values));
    }

    private static dev.cella.transactions.model.MachineRule.Operator operator(String path, String word) {
        if (word.equals("matches")) {
            throw Requests.bad(path, "must not be matches: every commit is decided by it; name the values with in");
        }
        return WORDS.entrySet().stream()
                .filter(entry -> entry.getValue().equals(word))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> Requests.bad(
                        path,
                        "no such operator: \"" + word + "\", "
                                + NearestName.to(word, List.copyOf(WORDS.values()))
                                        .map(near -> "did you mean " + near + "?")
                                        .orElse("it is one of " + String.join(", ", WORDS.values()))));
    }

    private static Map<dev.cella.transactions.model.MachineRule.Operator, String> words() {
        Map<dev.cella.transactions.model.MachineRule.Operator, String> words =
                new EnumMap<>(dev.cella.transactions.model.MachineRule.Operator.class);
        for (dev.cella.transactions.model.MachineRule.Operator operator :
                dev.cella.transactions.model.MachineRule.Operator.values()) {
            String word = switch (operator) {
                case EQ -> "eq";
                case NE -> "ne";
                case IN -> "in";
                case NOT_IN -> "notIn";
                case GT -> "gt";
                case LT -> "lt";
                case EXISTS -> "exists";
                case ABSENT -> "absent";
            };
            words.put(operator, word);
        }
        return words;
    }

    private static SchedulerRights row(CellView view, String scheduler) {
        Rights rights = view.rights(scheduler);
        SchedulerRights.Builder row = SchedulerRights.newBuilder()
                .setName(scheduler)
                .setPriorityMax(rights.priorityMax())
                .addAllPools(rights.pools())
                .setHolds(rights.holds())
                .setEvicts(Evicts.valueOf("EVICTS_" + rights.evicts()))
                .setOffers(rights.offers())
                .setSparePercentMax(rights.sparePercentMax())
                .setVersion(view.version().number());
        rights.machines().forEach(rule -> row.addMachines(message(rule)));
        if (!rights.machines().isEmpty() && !hasMachine(view, rights)) {
            row.addWarnings("no machine of the cell meets these rules: nothing of its jobs is placed");
        }
        return row.build();
    }

    private static MachineRule message(dev.cella.transactions.model.MachineRule rule) {
        MachineRule.Builder message = MachineRule.newBuilder()
                .setAttribute(rule.attribute())
                .setOperator(WORDS.getOrDefault(rule.operator(), ""));
        return switch (rule.operator()) {
            case EQ, NE, GT, LT -> message.setValue(rule.values().get(0)).build();
            case IN, NOT_IN, EXISTS, ABSENT ->
                message.addAllValues(rule.values()).build();
        };
    }

    /** Returns whether the scheduler may use any existing machine. */
    static boolean hasMachine(CellView view, Rights rights) {
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot) && view.mayUse(rights, slot)) {
                return true;
            }
        }
        return false;
    }
}
