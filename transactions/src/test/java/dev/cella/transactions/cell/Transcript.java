package dev.cella.transactions.cell;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Claim;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Runs a text of commands on a {@link TestCell} and writes the same text with the result of each command under it.
 *
 * <p>A line that begins in the first column is a command or a comment ({@code #}). A line that begins with {@code "  - "} is
 * an item of the transaction above it. A line that begins with four blanks is a result, and is written again.
 */
final class Transcript {
    private final TestCell cell;
    private final StringBuilder out = new StringBuilder();

    private Transcript(TestCell cell) {
        this.cell = cell;
    }

    static String run(String text) {
        Transcript transcript = new Transcript(new TestCell(new CellLimits(4, 3_600_000, 3), true));
        List<String> lines =
                text.lines().filter(line -> !line.startsWith("    ")).toList();
        for (int at = 0; at < lines.size(); at++) {
            int end = at + 1;
            while (end < lines.size() && lines.get(end).startsWith("  - ")) {
                end++;
            }
            transcript.line(lines.get(at), lines.subList(at + 1, end));
            at = end - 1;
        }
        transcript.cell.reloaded();
        return transcript.out.toString();
    }

    private void line(String line, List<String> items) {
        out.append(line).append('\n');
        items.forEach(item -> out.append(item).append('\n'));
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        Words words = new Words(line);
        switch (words.word()) {
            case "wait" -> cell.advance(Long.parseLong(words.word()));
            case "show" -> show(words.word(), words.word());
            case "follow" -> cell.cell.followUps(cell.header().cellTime()).forEach(command -> say(cell.apply(command)));
            default -> say(cell.apply(command(new Words(line), items)));
        }
    }

    // ---- commands

    private Command command(Words words, List<String> items) {
        String verb = words.word();
        return switch (verb) {
            case "machine" -> machine(words);
            case "empty" ->
                new Command.DrainMachine(
                        cell.machineId(words.word()),
                        words.number("deadline", 600_000),
                        Drain.BatchTasks.valueOf(words.value("batch").orElse("FINISH")));
            case "drain", "ready", "remove" ->
                new Command.ChangeMachine(
                        cell.machineId(words.word()),
                        Command.MachineChange.valueOf(verb.toUpperCase(Locale.ROOT)),
                        words.flag("force"));
            case "lose" -> new Command.LoseMachine(cell.machineId(words.word()));
            case "level" -> new Command.RaiseFeatureLevel(Integer.parseInt(words.word()));
            case "dimension" ->
                new Command.AddDimension(new Dimension(words.word(), Dimension.Kind.valueOf(words.word())));
            case "job" -> job(words);
            case "stop" -> new Command.StopJob(cell.jobRow(words.word()).id(), words.grace());
            case "scale" -> new Command.ScaleGroup(cell.jobRow(words.word()).id(), 0, Integer.parseInt(words.word()));
            case "forget" -> new Command.ForgetJob(cell.jobRow(words.word()).id());
            case "report" -> report(words);
            case "session" -> session(words);
            case "pool" -> new Command.PutPool(words.word(), limits(words));
            case "define" -> define(words);
            case "decline" -> new Command.EndOffer(OfferId.parse(words.word()), words.number("refuse", 5_000));
            case "suppress" -> new Command.WantOffers(words.word(), false);
            case "revive" -> new Command.WantOffers(words.word(), true);
            case "undefine" -> new Command.RemovePool(words.word());
            case "rights" -> rights(words);
            case "pause" -> new Command.PauseScheduler(words.word(), true);
            case "resume" -> new Command.PauseScheduler(words.word(), false);
            case "close" -> new Command.CloseSession(new SessionId(Long.parseLong(words.word())));
            case "commit" -> new Command.CommitTransaction(transaction(words, items));
            default -> throw new IllegalArgumentException("no such command: " + verb);
        };
    }

    private Command machine(Words words) {
        String name = words.word();
        Optional<AgentIdentity> agent = words.value("boot").map(boot -> new AgentIdentity(boot, "127.0.0.1:1", 10_000));
        return new Command.PutMachine(name, amounts(words), attributes(words), agent, words.flag("force"));
    }

    private Amounts amounts(Words words) {
        Amounts amounts = Amounts.NONE;
        for (int place = 0; place < cell.view().dimensions().size(); place++) {
            String said = words.value(cell.view().dimensions().nameAt(place)).orElse("0");
            amounts = amounts.plus(amount(place, said));
        }
        return amounts;
    }

    /**
     * A number. In a set dimension {@code #2} means two of its members, {@code 8001} or {@code 8001-8003} names members, and
     * {@code 8001+#2} does both.
     */
    private Amounts amount(int place, String said) {
        long[] values = new long[place + 1];
        boolean isSet = cell.view().dimensions().isSet(place);
        if (!said.contains("#") && !said.contains("-") && (!isSet || said.length() < 4)) {
            values[place] = Long.parseLong(said);
            return Amounts.of(values);
        }
        String[] parts = said.split("\\+?#", -1);
        MemberSet named = parts[0].isEmpty() ? MemberSet.NONE : MemberSet.parse(parts[0]);
        values[place] = named.size() + (parts.length > 1 ? Long.parseLong(parts[1]) : 0);
        return Amounts.of(values).naming(Members.NONE.with(place, named));
    }

    private static SortedMap<String, String> attributes(Words words) {
        SortedMap<String, String> attributes = new TreeMap<>();
        words.value("rack").ifPresent(rack -> attributes.put("rack", rack));
        return attributes;
    }

    private Limits limits(Words words) {
        long[] values = new long[cell.view().dimensions().size()];
        for (int place = 0; place < values.length; place++) {
            values[place] = words.value(cell.view().dimensions().nameAt(place))
                    .map(Long::parseLong)
                    .orElse(Limits.UNLIMITED);
        }
        return Limits.of(values);
    }

    private Command define(Words words) {
        String path = words.word();
        return new Command.DefinePool(
                path,
                new PoolPolicy(
                        words.number("weight", 1),
                        words.value("minimum")
                                .map(cpu -> Amounts.of(Long.parseLong(cpu)))
                                .orElse(Amounts.NONE),
                        limits(words),
                        PoolPolicy.Order.valueOf(words.value("order").orElse("FAIR")),
                        0,
                        0));
    }

    private static Command rights(Words words) {
        Rights rights = new Rights(
                words.number("priority", 100),
                words.value("pools").map(pools -> List.of(pools.split(",", -1))).orElse(List.of()),
                !words.flag("noHolds"),
                Rights.Evicts.valueOf(words.value("evicts").orElse("LOWER")),
                words.value("rack")
                        .map(rack -> List.of(new MachineRule("rack", MachineRule.Operator.EQ, List.of(rack))))
                        .orElse(List.of()),
                !words.flag("noOffers"),
                words.number("spare", Rights.SPARE_UNLIMITED));
        return new Command.SetRights(words.word(), rights);
    }

    private Command job(Words words) {
        GroupHeader group = new GroupHeader(
                "main",
                words.number("count", 1),
                amountsOf(words),
                new Restart(words.number("attempts", 2), 1_000, 60_000),
                words.number("runningMax", 0),
                words.number("failuresMax", 0),
                OnLost.valueOf(words.value("onLost").orElse("REPLACE")),
                Optional.empty());
        String name = words.word();
        JobHeader header = new JobHeader(
                name,
                words.flag("service") ? JobType.SERVICE : JobType.BATCH,
                words.value("scheduler").orElse("batch"),
                words.value("pool").orElse("default"),
                words.number("priority", 50),
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
        return new Command.SubmitJob(
                header,
                Specification.EMPTY,
                words.flag("update") ? Command.SubmitMode.CREATE_OR_UPDATE : Command.SubmitMode.CREATE,
                words.value("check")
                        .map(version -> OptionalLong.of(Long.parseLong(version)))
                        .orElse(OptionalLong.empty()));
    }

    /** A task without amounts in the text asks for one core and one gibibyte, as in the dissertation's example. */
    private Amounts amountsOf(Words words) {
        Amounts said = amounts(words);
        return said.isNone() ? Amounts.of(1_000, 1_024) : said;
    }

    private Command report(Words words) {
        TaskId task = task(words.word());
        TaskState state = TaskState.valueOf(words.word());
        return new Command.ReportTask(
                task,
                words.number("attempt", attemptOf(task)),
                Optional.empty(),
                state,
                words.value("exit")
                        .map(code -> OptionalInt.of(Integer.parseInt(code)))
                        .orElse(OptionalInt.empty()),
                words.value("reason").map(TaskReason::valueOf).orElse(TaskReason.NONE),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private int attemptOf(TaskId task) {
        return Math.max(1, cell.view().task(task).map(TaskRow::attempt).orElse(1));
    }

    private Command session(Words words) {
        String[] pair = words.word().split("/", -1);
        return new Command.OpenSession(
                pair[0],
                pair[1],
                "batch",
                10_000,
                words.value("renew").map(version -> new SessionId(Long.parseLong(version))),
                words.value("role").map(role -> new Participation(role, 1, Amounts.NONE)));
    }

    private Transaction transaction(Words words, List<String> items) {
        String id = words.word();
        Transaction.Builder builder = Transaction.builder(
                        new TransactionId(id), words.value("by").orElse("batch"))
                .basis(words.value("basis")
                        .map(version -> new CellVersion(Long.parseLong(version)))
                        .orElse(cell.version()))
                .seesOwn(words.flag("seesOwn"))
                .minClaims(words.number("min", 0));
        words.value("session").ifPresent(version -> builder.session(new SessionId(Long.parseLong(version))));
        if (words.flag("ALL_OR_NOTHING")) {
            builder.atomicity(Atomicity.ALL_OR_NOTHING);
        }
        if (words.flag("MACHINE")) {
            builder.conflictRule(ConflictRule.MACHINE);
        }
        items.forEach(item -> item(builder, new Words(item.substring(4))));
        return builder.build();
    }

    private void item(Transaction.Builder builder, Words words) {
        String kind = words.word();
        switch (kind) {
            case "claim" -> claim(builder, words, ClaimKind.PLACE);
            case "queue" -> claim(builder, words, ClaimKind.QUEUE);
            case "start" -> claim(builder, words, ClaimKind.START);
            case "spare" -> claim(builder, words, ClaimKind.SPARE);
            case "evict" -> evict(builder, words);
            case "hold" ->
                builder.hold(new HoldRequest(
                        cell.jobRow(words.word()).id(),
                        slot(words.word()),
                        amounts(words),
                        words.number("expires", 30_000)));
            case "offer" ->
                builder.hold(HoldRequest.offer(
                        cell.view().session(words.word(), "one").orElseThrow().id(),
                        slot(words.word()),
                        amounts(words),
                        words.number("expires", 30_000)));
            case "accept" -> builder.offer(OfferId.parse(words.word())).keepsOffers(words.flag("keep"));
            case "rescind" -> builder.rescind(OfferId.parse(words.word()));
            case "again" -> builder.step(step(Step.Kind.AGAIN, words));
            case "stop" -> builder.step(step(Step.Kind.STOP, words));
            case "upgrade" -> builder.step(step(Step.Kind.UPGRADE, words));
            case "copy" -> builder.step(step(Step.Kind.COPY, words));
            case "replace" -> builder.step(step(Step.Kind.REPLACE, words));
            case "scale" -> builder.scale(scale(words));
            case "remember" ->
                builder.progress(
                        cell.jobRow(words.word()).id(), Progress.of(words.word().getBytes(StandardCharsets.UTF_8)));
            default -> throw new IllegalArgumentException("no such item: " + kind);
        }
    }

    private void claim(Transaction.Builder builder, Words words, ClaimKind kind) {
        TaskId task = task(words.word());
        int generation = words.number(
                "generation",
                cell.view().job(task.job()).map(JobRow::generation).orElse(1));
        List<Integer> machines = new ArrayList<>();
        while (words.hasWord()) {
            machines.add(slot(words.word()));
        }
        builder.claim(new Claim(
                task, generation, machines.get(0), machines.subList(1, machines.size()), Optional.empty(), kind));
    }

    private void evict(Transaction.Builder builder, Words words) {
        TaskId task = task(words.word());
        OptionalInt forClaim = words.value("for")
                .map(place -> OptionalInt.of(Integer.parseInt(place)))
                .orElse(OptionalInt.empty());
        builder.evict(new Eviction(task, words.number("attempt", attemptOf(task)), forClaim));
    }

    private Step step(Step.Kind kind, Words words) {
        TaskId task = task(words.word());
        int attempt = cell.view().task(task).map(TaskRow::attempt).orElse(0);
        return new Step(kind, task, words.number("attempt", attempt));
    }

    private Scale scale(Words words) {
        JobRow job = cell.jobRow(words.word());
        int generation = words.number("generation", job.generation());
        int expected = words.number("expected", -1);
        return new Scale(
                job.id(),
                0,
                generation,
                Integer.parseInt(words.word()),
                expected < 0 ? OptionalInt.empty() : OptionalInt.of(expected));
    }

    /**
     * "job/index" of the first group, or "job~copies/index" of the copies of its tasks; an unknown job is written as
     * "#version/index".
     */
    private TaskId task(String text) {
        if (text.contains("~")) {
            return copy(text.substring(0, text.indexOf('~')), text);
        }
        int slash = text.indexOf('/');
        String job = text.substring(0, slash);
        int index = Integer.parseInt(text.substring(slash + 1));
        return job.startsWith("#")
                ? new TaskId(new JobId(Long.parseLong(job.substring(1))), 0, index)
                : cell.task(job, index);
    }

    private TaskId copy(String job, String text) {
        JobRow row = cell.jobRow(job);
        int group = row.group(0).copies().orElseThrow().place();
        return new TaskId(row.id(), group, Integer.parseInt(text.substring(text.indexOf('/') + 1)));
    }

    /** A name, or "#slot". */
    private int slot(String text) {
        return text.startsWith("#") ? Integer.parseInt(text.substring(1)) : cell.slot(text);
    }

    // ---- outcomes

    private void say(CommandResult result) {
        if (result instanceof CommandResult.Done done) {
            out.append("    ")
                    .append(done.version())
                    .append(": ")
                    .append(done.effect())
                    .append('\n');
        } else if (result instanceof CommandResult.Refused refused) {
            out.append("    ").append(refused.version()).append(": refused, ").append(refused.reason());
            out.append(" (").append(refused.message()).append(")\n");
        } else if (result instanceof CommandResult.Decided decided) {
            say(decided.outcome());
        }
    }

    private void say(Outcome outcome) {
        out.append("    ").append(outcome.version()).append(": ").append(outcome.verdict());
        outcome.reason().ifPresent(reason -> out.append(", ").append(reason));
        out.append('\n');
        for (ItemResult result : outcome.results()) {
            out.append("      ")
                    .append(result.kind().toString().toLowerCase(Locale.ROOT))
                    .append(": ");
            out.append(describe(result)).append('\n');
        }
    }

    private String describe(ItemResult result) {
        if (result.accepted()) {
            return result.machine().isPresent()
                    ? "accepted, on " + cell.view().machineName(result.machine().getAsInt())
                    : "accepted";
        }
        StringBuilder text = new StringBuilder(result.reason().orElseThrow().toString());
        result.dimension()
                .ifPresent(dimension -> text.append(": asked ")
                        .append(result.asked())
                        .append(' ')
                        .append(cell.view().dimensions().nameAt(dimension))
                        .append(", ")
                        .append(result.free())
                        .append(" free"));
        result.felledBy().ifPresent(place -> text.append(", felled by item ").append(place));
        if (result.conflict()) {
            text.append("; a conflict");
        }
        result.winner().ifPresent(winner -> text.append(", won by ").append(describe(winner)));
        return text.toString();
    }

    private static String describe(Origin origin) {
        return origin.transaction() + " of " + origin.scheduler() + " at " + origin.version();
    }

    private void show(String what, String name) {
        String text = switch (what) {
            case "machine" -> cell.view().machine(name).map(this::describe).orElse("no machine " + name);
            case "task" ->
                cell.view().task(task(name)).map(Transcript::describe).orElse("no task " + name);
            case "pool" -> describe(cell.view().pool(name).orElseThrow());
            case "job" -> cell.view().job(name).map(Transcript::describe).orElse("no job " + name);
            default -> throw new IllegalArgumentException("no such thing: " + what);
        };
        out.append("    ").append(text).append('\n');
    }

    private String describe(MachineRow machine) {
        StringBuilder holds = new StringBuilder();
        cell.view()
                .holdsOn(machine.slot())
                .forEach(hold -> holds.append(hold.isOffer() ? ", offer to " : ", hold of ")
                        .append(hold.job().map(JobRow::name).orElse(hold.scheduler()))
                        .append(" got ")
                        .append(hold.got())
                        .append(" of ")
                        .append(hold.wanted()));
        cell.view()
                .queueOn(machine.slot())
                .forEach(row -> holds.append(holds.indexOf(", queue") < 0 ? ", queue " : " ")
                        .append(row.group().job().name())
                        .append('/')
                        .append(row.index()));
        if (cell.view().spareTasksOn(machine.slot()) > 0) {
            long[] spare = new long[cell.view().dimensions().size()];
            Arrays.setAll(spare, dimension -> cell.view().spare(machine.slot(), dimension));
            holds.append(", spare ").append(Amounts.of(spare));
        }
        return machine.name() + " " + machine.status() + ", capacity " + machine.capacity() + ", free " + machine.free()
                + ", registered at " + machine.registeredVersion() + ", claimed at " + machine.claimedVersion() + holds;
    }

    private String describe(PoolRow pool) {
        StringBuilder text = new StringBuilder(pool.path())
                .append(", limits ")
                .append(pool.limits())
                .append(", use");
        for (int dimension = 0; dimension < cell.view().dimensions().size(); dimension++) {
            text.append(' ').append(pool.use(dimension));
        }
        return text.toString();
    }

    private static String describe(TaskRow task) {
        StringBuilder text = new StringBuilder(task.text()).append(' ').append(task.state());
        if (task.reason() != TaskReason.NONE) {
            text.append(" (").append(task.reason()).append(')');
        }
        text.append(", attempt ").append(task.attempt());
        task.machineName().ifPresent(machine -> text.append(", on ").append(machine));
        task.placement().ifPresent(placement -> text.append(", placement ").append(placement));
        text.append(task.resources().namesMembers() ? ", with " + task.resources() : "");
        text.append(task.spare() && task.state().isOnMachine() ? ", spare" : "");
        task.exitCode().ifPresent(code -> text.append(", exit code ").append(code));
        if (!task.waitingFor().isEmpty()) {
            text.append(", waiting for ").append(task.waitingFor());
        }
        return text.toString();
    }

    /** The numbers of tasks that a person asked for, where a scheduler has set others. */
    private static String asked(JobRow job) {
        return job.groups().stream()
                .filter(group -> group.askedCount() != group.header().count())
                .map(group -> ", asked for " + group.askedCount() + " at version " + group.askedVersion())
                .collect(Collectors.joining());
    }

    private static String describe(JobRow job) {
        StringBuilder text = new StringBuilder(job.name()).append(' ').append(job.state());
        text.append(", generation ").append(job.generation());
        text.append(job.updatedVersion() == 0 ? "" : " of version " + job.updatedVersion())
                .append(", tasks");
        for (TaskState state : TaskState.values()) {
            if (job.counts().of(state) > 0) {
                text.append(' ').append(job.counts().of(state)).append(' ').append(state);
            }
        }
        return text.append(", tried ")
                .append(job.attempts())
                .append(", conflicts ")
                .append(job.conflicts())
                .append(
                        job.stopGraceMillis().isPresent()
                                ? ", to end in " + job.stopGraceMillis().getAsLong() + " ms"
                                : "")
                .append(asked(job))
                .append(job.progress().equals(Progress.NONE) ? "" : ", remembers ")
                .append(new String(job.progress().bytes(), StandardCharsets.UTF_8))
                .toString();
    }

    /** The words of a line: plain ones in order, flags, and name=value. */
    private static final class Words {
        private final List<String> plain = new ArrayList<>();
        private final Map<String, String> values = new HashMap<>();
        private int next;

        Words(String line) {
            for (String word : line.trim().split("\\s+", -1)) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    values.put(word.substring(0, equals), word.substring(equals + 1));
                } else if (!word.equals("on") && !word.equals("or")) {
                    plain.add(word);
                }
            }
        }

        boolean hasWord() {
            return next < plain.size();
        }

        String word() {
            return plain.get(next++);
        }

        boolean flag(String name) {
            return plain.remove(name);
        }

        Optional<String> value(String name) {
            return Optional.ofNullable(values.get(name));
        }

        OptionalLong grace() {
            return value("grace").isPresent() ? OptionalLong.of(number("grace", 0)) : OptionalLong.empty();
        }

        int number(String name, int otherwise) {
            return value(name).map(Integer::parseInt).orElse(otherwise);
        }
    }
}
