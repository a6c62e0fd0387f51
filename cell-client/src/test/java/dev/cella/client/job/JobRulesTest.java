package dev.cella.client.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.Affinity;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.Check;
import dev.cella.client.proto.Constraint;
import dev.cella.client.proto.Distinct;
import dev.cella.client.proto.Gang;
import dev.cella.client.proto.GangRestart;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Inputs;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Locality;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.Spread;
import dev.cella.client.proto.Update;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JobRulesTest {
    static Stream<Arguments> faults() {
        return Stream.of(
                job(
                        job -> job.setName("Web"),
                        "name: is no name: \"Web\"; names have lower-case letters, digits, dots and hyphens, and begin"
                                + " and end with a letter or digit"),
                job(
                        job -> job.setName("-web"),
                        "name: is no name: \"-web\"; names have lower-case letters, digits, dots and hyphens, and"
                                + " begin and end with a letter or digit"),
                job(job -> job.setName("a".repeat(64)), "name: is too long for a name: 64 characters, at most 63"),
                job(
                        job -> job.setScheduler("a/b"),
                        "scheduler: is no name: \"a/b\"; names have lower-case letters, digits, dots and hyphens, and"
                                + " begin and end with a letter or digit"),
                job(job -> job.putLabels("", "x"), "labels: have an empty name; name each label"),
                job(
                        job -> job.putLabels("a".repeat(254), "x"),
                        "labels: have too long a name: 254 characters, at most 253"),
                job(
                        job -> job.putLabels("team\n", "x"),
                        "labels: have a name with the control character U+000A; leave it out"),
                job(job -> job.setPriority(101), "priority: must be from 0 to 100, is 101"),
                job(job -> job.setPriority(-1), "priority: must be from 0 to 100, is -1"),
                job(job -> job.addGroups(group()), "groups[1].name: another group is called \"main\" too"),
                job(
                        job -> job.addGroups(group().setName("b")).addGroups(group().setName("b")),
                        "groups[2].name: another group is called \"b\" too"),
                job(
                        job -> job.addGroups(group().setName("b").setCount(60_000))
                                .addGroups(group().setName("c").setCount(40_000)),
                        "groups: have too many tasks: 100001, at most 100000 in a job"),
                group(
                        group -> group.setName("_"),
                        "groups[0].name: is no name: \"_\"; names have lower-case letters, digits, dots and hyphens,"
                                + " and begin and end with a letter or digit"),
                group(group -> group.setCount(0), "groups[0].count: must be from 1 to 100000, is 0"),
                group(group -> group.setCount(100_001), "groups[0].count: must be from 1 to 100000, is 100001"),
                group(group -> group.removeResources("memoryMib"), "groups[0].resources.memoryMib: is required"),
                group(
                        group -> group.putResources("cpuMilli", 0),
                        "groups[0].resources.cpuMilli: must be from 1 to 1000000000000, is 0"),
                group(
                        group -> group.putResources("cpuMilli", 1L << 50),
                        "groups[0].resources.cpuMilli: must be from 1 to 1000000000000, is 1125899906842624"),
                group(
                        group -> group.getRestartBuilder().setAttempts(-1),
                        "groups[0].restart.attempts: must not be negative, is -1"),
                group(
                        group -> group.getRestartBuilder().setDelay(seconds(5)).setDelayMax(seconds(4)),
                        "groups[0].restart.delayMax: must not be shorter than delay"),
                group(
                        group -> group.setCount(3).setGang(gang(4, GangRestart.GANG_RESTART_ONE)),
                        "groups[0].gang.min: must be from 1 to 3, as many tasks as can be placed at once, is 4"),
                group(
                        group -> group.setCount(3).setRunningMax(2).setGang(gang(3, GangRestart.GANG_RESTART_ONE)),
                        "groups[0].gang.min: must be from 1 to 2, as many tasks as can be placed at once, is 3"),
                job(
                        job -> job.setPool("film//scenes"),
                        "pool: is no path of a pool: \"film//scenes\"; a path has one slash between two names, such as"
                                + " research/vision"),
                job(
                        job -> job.setPool("film/Scenes"),
                        "pool: is no name: \"Scenes\"; names have lower-case letters, digits, dots and hyphens, and begin"
                                + " and end with a letter or digit; a pool is a name, or a path of names such as"
                                + " research/vision"),
                job(
                        job -> job.setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                                .getGroupsBuilder(0)
                                .setRunningMax(1),
                        "groups[0].runningMax: a job that is placed ALL_OR_NOTHING cannot keep tasks back"),
                job(
                        job -> job.setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                                .addGroups(group().setName("reduce").addAfter("main")),
                        "groups[1].after: a job that is placed ALL_OR_NOTHING cannot keep tasks back"),
                job(
                        job -> job.setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                                .getGroupsBuilder(0)
                                .setCount(10_001),
                        "groups: have too many tasks for ALL_OR_NOTHING: 10001, at most 10000"),
                must(
                        "rack",
                        "equals",
                        "r1",
                        "groups[0].constraints[0].operator: no such operator: \"equals\", it is one of eq, ne, in,"
                                + " notIn, gt, lt, exists, absent, matches"),
                must(
                        "rack",
                        "notin",
                        "r1",
                        "groups[0].constraints[0].operator: no such operator: \"notin\", did you mean notIn?"),
                must("", "eq", "r1", "groups[0].constraints[0].attribute: must not be empty"),
                must("rack", "in", "r1", "groups[0].constraints[0].values: are required for in, as a list"),
                must("rack", "exists", "r1", "groups[0].constraints[0].value: exists takes no value"),
                must("cores", "gt", "many", "groups[0].constraints[0].value: must be a number, is \"many\""),
                must(
                        "os",
                        "matches",
                        "(debian",
                        "groups[0].constraints[0].value: is no regular expression: missing closing ) (the syntax is"
                                + " RE2's: no look-around and no back-references)"),
                must(
                        "os",
                        "matches",
                        "a".repeat(257),
                        "groups[0].constraints[0].value: is too long for a regular expression: at most 256 characters"),
                tooLarge("((a{1,1000}){1,1000}){1,1000}"),
                tooLarge("(?:[\\](]{1000}|\\Q)\\E{900}|[]{}]b\\)){11}"),
                tooLarge("(a{99}){99}{2}(b{0,50}c){20}"),
                group(
                        group -> group.addConstraints(
                                Constraint.newBuilder().setAttribute("rack").setOperator("eq")),
                        "groups[0].constraints[0].value: is required for eq, and one alone; several go with in"),
                group(
                        group -> group.addAffinities(Affinity.newBuilder()
                                .setAttribute("disk")
                                .setOperator("exists")
                                .setWeight(101)),
                        "groups[0].affinities[0].weight: must be from -100 to 100, is 101"),
                update(
                        update -> update.setDeadline(Duration.newBuilder().setNanos(500_000)),
                        "groups[0].update.deadline: must be at least 1ms"),
                update(
                        update -> update.setDeadline(Duration.newBuilder().setSeconds(5)),
                        "groups[0].update.deadline: must be longer than healthyAfter, which is 10s by itself, or no"
                                + " update ever succeeds"),
                update(
                        update -> update.setHealthyAfter(Duration.newBuilder().setSeconds(600)),
                        "groups[0].update.healthyAfter: must be shorter than the deadline of 10m, or no update ever"
                                + " succeeds"),
                update(update -> update.setDeadline(Duration.newBuilder().setSeconds(11))),
                group(
                        group -> group.addSpread(Spread.newBuilder()
                                .setAttribute("rack")
                                .putTargets("r1", -10)
                                .putTargets("r2", 50)),
                        "groups[0].spread[0].targets.r1: must not be negative, is -10"),
                group(
                        group -> group.addSpread(Spread.newBuilder()
                                .setAttribute("rack")
                                .putTargets("r1", 60)
                                .putTargets("r2", 50)),
                        "groups[0].spread[0].targets: are percentages that make at most 100, not 110"),
                group(
                        group -> group.setDistinct(
                                Distinct.newBuilder().setAttribute("rack").setMax(0)),
                        "groups[0].distinct.max: must be at least 1, is 0"),
                group(
                        group -> group.addInputs(Inputs.newBuilder().addMachines("m"))
                                .addInputs(Inputs.newBuilder().addMachines("n")),
                        "groups[0].inputs: must be one for all tasks or one for each of the 1, are 2"),
                group(
                        group -> group.addInputs(Inputs.getDefaultInstance()),
                        "groups[0].inputs[0]: must name a machine or a rack"),
                group(
                        group -> group.setLocality(Locality.getDefaultInstance()),
                        "groups[0].locality: needs inputs: a task without them is at home everywhere"),
                run(run -> run.setCommand(0, ""), "groups[0].run.command[0]: must name a program"),
                run(run -> run.addCommand("a\0b"), "groups[0].run.command[1]: must not have a zero character"),
                run(
                        run -> run.addCommand("${indx}"),
                        "groups[0].run.command[1]: no such placeholder: ${indx}, did you mean ${index}?"),
                run(
                        run -> run.addCommand("${HOME}"),
                        "groups[0].run.command[1]: no such placeholder: ${HOME}, there are index, job, group, machine,"
                                + " attempt, hostsFile; for the characters themselves write $${"),
                run(
                        run -> run.addCommand("${port.http}"),
                        "groups[0].run.command[1]: ${port.http} names no port of the group: it has none, ports: {http: 0} makes one"),
                run(run -> run.setIsolation("ful"), "groups[0].run.isolation: no such value: ful, did you mean full?"),
                run(
                        run -> run.setStopSignal("SIGTERM"),
                        "groups[0].run.stopSignal: no such value: SIGTERM, there are TERM, INT, HUP, QUIT, USR1, USR2"),
                run(run -> run.setUser("a b"), "groups[0].run.user: is no name of a user: \"a b\""),
                group(
                        group -> group.putPorts("http", 70_000),
                        "groups[0].ports.http: must be from 1 to 65535, or 0 for any, is 70000"),
                group(
                        group -> group.putPorts("http", 0)
                                .setCheck(Check.newBuilder().setHttp("x")),
                        "groups[0].check.http: must be a path, which begins with /, is \"x\""),
                group(
                        group -> group.setCheck(Check.newBuilder().setTcp(true)),
                        "groups[0].check.port: must be the name of one of the group's ports: []"),
                group(
                        group -> group.setCheck(
                                Check.newBuilder().addCommand("true").addCommand("${jop}")),
                        "groups[0].check.command[1]: no such placeholder: ${jop}, did you mean ${job}?"),
                group(
                        group -> group.setCheck(
                                Check.newBuilder().addCommand("true").setTimeout(seconds(61))),
                        "groups[0].check.timeout: must be at most 1m"),
                group(
                        group -> {
                            group.putPorts("http", 0)
                                    .setCheck(Check.newBuilder().setTcp(true));
                            group.getRunBuilder().setNetwork("none");
                        },
                        "groups[0].check: must be a command, for the tasks have no network: run.network is none"),
                run(
                        run -> run.setImage("-v/:/host"),
                        "groups[0].run.image: is no reference of an image: \"-v/:/host\"; debian:12 is one"),
                group(
                        group -> {
                            group.setCheck(Check.newBuilder().addCommand("true"));
                            group.getRunBuilder().setImage("debian:12");
                        },
                        "groups[0].check: must be http or tcp, for no command runs beside a task in an image"),
                run(run -> run.setNetwork("hots"), "groups[0].run.network: no such value: hots, did you mean host?"),
                run(
                        run -> run.addCommand("${hostFile}"),
                        "groups[0].run.command[1]: no such placeholder: ${hostFile}, did you mean ${hostsFile}?"),
                run(
                        run -> run.addCommand("${index"),
                        "groups[0].run.command[1]: has no } after ${index; for the characters themselves write $${"),
                run(run -> run.putEnv("A=B", ""), "groups[0].run.env.A=B: is no name of a variable: \"A=B\""),
                run(
                        run -> run.putEnv("CELLA_JOB", ""),
                        "groups[0].run.env.CELLA_JOB: names that begin with CELLA_ are set by the cell"),
                run(run -> run.setDirectory("tmp"), "groups[0].run.directory: must begin with /, is \"tmp\""));
    }

    @Test
    void whatNeedsIsolation_asksMachinesForIt() {
        Job job = job().clearGroups()
                .addGroups(group().setRun(Run.newBuilder().addCommand("true").setCpuQuota(true)))
                .addGroups(group().setName("b")
                        .setRun(Run.newBuilder().addCommand("true").setNetwork("none")))
                .build();

        assertThat(JobRules.complete(job).getGroupsList())
                .extracting(group -> group.getConstraints(0).getValuesList().get(0))
                .containsExactly("limits", "full");
    }

    /** As for a person who changes what the cell shows of a job, and sends it back. */
    @Test
    void aCompleteJobThatNeedsMoreIsolation_asksMachinesForMore() {
        Job limited = isolated(JobRules.complete(isolated(job().build(), "limits")), "full");

        assertThat(JobRules.complete(limited).getGroups(0).getConstraintsList())
                .extracting(constraint -> List.copyOf(constraint.getValuesList()))
                .containsExactly(List.of("full"));
        assertThat(JobRules.complete(JobRules.complete(limited))).isEqualTo(JobRules.complete(limited));
    }

    @Test
    void anUpdateThatNeedsLessThanTheJobDid_asksMachinesForLess() {
        Job before = JobRules.complete(isolated(job().build(), "full"));
        Job open = isolated(before, "none");

        assertThat(JobRules.complete(isolated(before, "limits"), before)
                        .getGroups(0)
                        .getConstraintsList())
                .extracting(constraint -> List.copyOf(constraint.getValuesList()))
                .containsExactly(List.of("limits", "full"));
        assertThat(JobRules.complete(open, before).getGroups(0).getConstraintsList())
                .isEmpty();
        assertThat(JobRules.complete(before, before)).isEqualTo(before);
    }

    @Test
    void anUpdateWithoutTheImage_asksNoMachineForImages() {
        Job.Builder imaged = job();
        imaged.getGroupsBuilder(0).getRunBuilder().setImage("debian:12");
        Job before = JobRules.complete(imaged.build());
        Job.Builder changed = before.toBuilder();
        changed.getGroupsBuilder(0).getRunBuilder().clearImage();

        assertThat(JobRules.complete(changed.build(), before).getGroups(0).getConstraintsList())
                .isEmpty();
    }

    /** A task that needs no isolation may ask for a machine that has it. */
    @Test
    void anUpdate_keepsTheConstraintsThatTheUserMade() {
        Constraint onFull = Constraint.newBuilder()
                .setAttribute("isolation")
                .setOperator("in")
                .addValues("full")
                .build();
        Job.Builder said = job();
        said.getGroupsBuilder(0).addConstraints(onFull);
        Job before = JobRules.complete(said.build());

        assertThat(JobRules.complete(before, before).getGroups(0).getConstraintsList())
                .containsExactly(onFull);
    }

    private static Job isolated(Job job, String level) {
        Job.Builder changed = job.toBuilder();
        changed.getGroupsBuilder(0).getRunBuilder().setIsolation(level);
        return changed.build();
    }

    @Test
    void howLongATaskRunsInNameOnly_isForTheJobToSay() {
        Job job = job().clearGroups()
                .addGroups(group().setRun(
                                Run.newBuilder().addCommand("echo").putEnv("CELLA_HOLLOW_RUNTIME_MILLIS", "100")))
                .build();

        assertThat(JobRules.check(job)).isEmpty();
    }

    private static Gang.Builder gang(int min, GangRestart restart) {
        return Gang.newBuilder().setMin(min).setRestart(restart);
    }

    private static Arguments tooLarge(String expression) {
        return must(
                "os",
                "matches",
                expression,
                "groups[0].constraints[0].value: is too large for a regular expression: its repeats make more than"
                        + " 10000 pieces");
    }

    private static Arguments must(String attribute, String operator, String value, String fault) {
        Constraint constraint = Constraint.newBuilder()
                .setAttribute(attribute)
                .setOperator(operator)
                .setValue(value)
                .build();
        return group(group -> group.addConstraints(constraint), fault);
    }

    private static Job.Builder job() {
        return Job.newBuilder().setName("hello").setType(JobType.JOB_TYPE_BATCH).addGroups(group());
    }

    private static Group.Builder group() {
        return Group.newBuilder()
                .putResources("cpuMilli", 100)
                .putResources("memoryMib", 32)
                .setRun(Run.newBuilder().addCommand("/bin/true"));
    }

    private static Arguments job(Consumer<Job.Builder> change, String... faults) {
        Job.Builder job = job();
        change.accept(job);
        return Arguments.of(job.build(), List.of(faults));
    }

    private static Arguments group(Consumer<Group.Builder> change, String... faults) {
        return job(job -> change.accept(job.getGroupsBuilder(0)), faults);
    }

    private static Arguments update(Consumer<Update.Builder> change, String... faults) {
        return job(
                job -> change.accept(job.setType(JobType.JOB_TYPE_SERVICE)
                        .getGroupsBuilder(0)
                        .getUpdateBuilder()),
                faults);
    }

    private static Arguments run(Consumer<Run.Builder> change, String... faults) {
        return group(group -> change.accept(group.getRunBuilder()), faults);
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void check_brokenRule_isNamedAtItsPlace(Job job, List<String> expected) {
        assertThat(JobRules.check(job)).map(Fault::sentence).containsExactlyElementsOf(expected);
    }

    @Test
    void check_soundJob_hasNoFault() {
        Job job = job().setName("a").setPriority(100).build();

        assertThat(JobRules.check(job)).isEmpty();
        assertThat(JobRules.check(JobRules.complete(job))).isEmpty();
    }

    @Test
    void check_tooManyGroups_isAFault() {
        Job.Builder job = job();
        for (int i = 0; i < 100; i++) {
            job.addGroups(group().setName("g" + i));
        }

        assertThat(JobRules.check(job.build()))
                .map(Fault::sentence)
                .containsExactly("groups: are too many: 101, at most 100");
    }

    @Test
    void check_tooLarge_isAFault() {
        Job.Builder job = job();
        for (int i = 0; i < 300; i++) {
            job.getGroupsBuilder(0).getRunBuilder().addCommand("x".repeat(4096));
        }

        assertThat(JobRules.check(job.build()))
                .map(Fault::sentence)
                .containsExactly("is too large: a job has at most 1 MiB");
    }

    @Test
    void complete_saysEveryDefault() {
        JsonCodec codec = new JsonCodec();

        Job complete = JobRules.complete(job().build());

        assertThat(codec.writeYaml(complete)).isEqualTo("""
            name: hello
            type: batch
            scheduler: batch
            pool: default
            priority: 50
            atomicity: INCREMENTAL
            conflictRule: RESOURCE
            labels: {}
            groups:
            - name: main
              count: 1
              resources:
                cpuMilli: 100
                memoryMib: 32
              run:
                command:
                - /bin/true
                env: {}
                stopGrace: 10s
              restart:
                attempts: 2
                delay: 1s
                delayMax: 1m
              onLost: REPLACE
              constraints: []
              affinities: []
              spread: []
            """);
        assertThat(codec.read(Job.getDefaultInstance(), Source.yaml(codec.writeYaml(complete))))
                .isEqualTo(complete);
        assertThat(JobRules.complete(complete)).isEqualTo(complete);
    }

    @Test
    void complete_keepsGivenValues() {
        Job.Builder job = job().setScheduler("fair").setPriority(0);
        job.getGroupsBuilder(0)
                .setName("map")
                .setCount(7)
                .getRestartBuilder()
                .setAttempts(0)
                .setDelay(seconds(300));

        Job complete = JobRules.complete(job.build());

        assertThat(complete.getScheduler()).isEqualTo("fair");
        assertThat(complete.getPriority()).isZero();
        assertThat(complete.getGroups(0).getName()).isEqualTo("map");
        assertThat(complete.getGroups(0).getRestart().getAttempts()).isZero();
        assertThat(complete.getGroups(0).getRestart().getDelayMax()).isEqualTo(seconds(300));
    }

    @Test
    void complete_gangThatDoesNotSay_runsAgainWholeAndHoldsAfterHalfAMinute() {
        Job.Builder job = job();
        job.getGroupsBuilder(0).setGang(Gang.newBuilder().setMin(1));

        Gang gang = JobRules.complete(job.build()).getGroups(0).getGang();

        assertThat(gang.getRestart()).isEqualTo(GangRestart.GANG_RESTART_ALL);
        assertThat(gang.getHoldAfter()).isEqualTo(seconds(30));
    }

    /** Five faults came in two answers: first those of the form, then those of the rules. */
    @Test
    void rules_besideFaultsOfTheForm_areToldInTheSameAnswer() {
        JsonCodec codec = new JsonCodec().withRules(Job.getDefaultInstance(), JobRules::check);
        Source text = Source.yaml("""
            name: Hello_World
            type: batsch
            priority: 101
            groups:
              - count: three
                resources: {cpuMili: 100, memoryMib: 16}
                run: {command: [echo, "${indx}"]}
            """);

        BadInput bad = catchThrowableOfType(BadInput.class, () -> codec.read(Job.getDefaultInstance(), text));

        assertThat(bad.faults().stream().map(fault -> fault.line() + ":" + fault.column() + " " + fault.path()))
                .containsExactlyInAnyOrder(
                        "1:7 name",
                        "2:7 type",
                        "3:11 priority",
                        "5:12 groups[0].count",
                        "6:17 groups[0].resources.cpuMili",
                        "7:27 groups[0].run.command[1]");
    }
}
