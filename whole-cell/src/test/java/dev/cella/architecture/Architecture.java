package dev.cella.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyHaveDependenciesWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The rules for Cella's packages, for all packages under one root: {@code dev.cella} itself, or a planted tree of the same
 * shape in which every rule is broken.
 *
 * <p>Exceptions from a rule are listed here, by name and with their reason, never at the place that breaks it.
 */
final class Architecture {
    /** The allowed dependencies between modules: exactly these, in their poms. */
    static final Edges MODULES = Edges.of("""
        transactions:
        cell-client: transactions
        cell-state: cell-client
        scheduling: transactions cell-client
        scheduler-batch: scheduling
        scheduler-service: scheduling
        node-agent: cell-client
        simulator: scheduler-batch scheduler-service
        bench: all
        chaos: transactions cell-client cell-state scheduling scheduler-batch scheduler-service node-agent simulator
        cli: all
        whole-cell: all
        chaos-seeds: chaos scheduling
        """);

    /**
     * The allowed references between packages: finer than the modules where a module has an inside that must not know its
     * outside.
     */
    static final Edges PARTS = Edges.of("""
        transactions:
        transactions.naive: transactions
        client.proto:
        client: client.proto transactions
        client.http: client client.proto transactions
        state.history: transactions
        state.conflicts: state.history transactions
        state.core: state.conflicts state.history transactions
        state.ratis: state.core transactions
        state.rocksdb: state.core transactions
        state.web: state.core state.conflicts state.history client client.proto transactions
        state: state.core state.conflicts state.history state.ratis state.rocksdb state.web client client.proto transactions
        scheduling: transactions
        scheduling.live: scheduling client client.proto transactions
        scheduling.plugin: scheduling transactions
        scheduler.batch: scheduling transactions
        scheduler.service: scheduling transactions
        agent: client client.proto transactions
        simulator: scheduler.batch scheduler.service scheduling transactions
        simulator.sweep: simulator scheduler.batch scheduler.service scheduling transactions
        simulator.files: simulator
        bench: all
        chaos.proto:
        chaos: chaos.proto state state.core state.ratis state.rocksdb client client.http client.proto agent scheduling scheduling.plugin scheduler.batch scheduler.service transactions transactions.naive
        cli: all
        """);

    /** The package of the cell: the packages below it are its rooms. */
    private static final String CELL = "transactions.cell";

    /** What other modules may use of the rooms: copies, and the rows that a view hands out. */
    private static final Set<String> OPEN_IN_ROOMS = Set.of(
            "CellCopy",
            "CellDigests",
            "CellLimits",
            "Draft",
            "GroupRow",
            "HoldRow",
            "JobRow",
            "JobShare",
            "MachineRow",
            "MachinesCopy",
            "MachinesPart",
            "PoolRow",
            "QueueRow",
            "SessionRow",
            "TaskCounts",
            "TaskRow",
            "TasksCopy");

    private static final String GENERATED = "client.proto";

    private final String root;

    Architecture(String root) {
        this.root = root;
    }

    Stream<ArchRule> rules() {
        return Stream.of(
                partsUseOnlyWhatTheyMay(),
                packagesHaveNoCircles(),
                roomsOfTheCellStayInside(),
                packagesAreNullMarked(),
                ratisStaysInItsPackage(),
                rocksDbStaysInItsPackage(),
                transportStaysAtTheEdge(),
                generatedMessagesStayAtTheEdge(),
                onlyTheCommandPrints(),
                decisionsReadNoClock(),
                decisionsDrawOnlyFromTheirSeed(),
                decisionsKnowNoThreads(),
                decisionsDoNoInputOrOutput());
    }

    ArchRule partsUseOnlyWhatTheyMay() {
        return classes()
                .should(onlyHaveDependenciesWhere(describe("the design lets one part use the other", this::isAllowed)));
    }

    private boolean isAllowed(Dependency dependency) {
        JavaClass used = dependency.getTargetClass().getBaseComponentType();
        return !isOurs(used) || PARTS.allow(part(dependency.getOriginClass()), part(used));
    }

    ArchRule packagesHaveNoCircles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    /** The rooms of the cell are public for each other. Other modules see what a view or a copy hands out. */
    ArchRule roomsOfTheCellStayInside() {
        return noClasses()
                .that(are("transactions").negate())
                .should()
                .dependOnClassesThat(describe(
                        "are inside a room of the cell",
                        subject -> subject.getPackageName().startsWith(root + "." + CELL + ".")
                                && !OPEN_IN_ROOMS.contains(outermost(subject).getSimpleName())));
    }

    private static JavaClass outermost(JavaClass subject) {
        return subject.getEnclosingClass().map(Architecture::outermost).orElse(subject);
    }

    ArchRule packagesAreNullMarked() {
        return classes()
                .that(are(GENERATED, "chaos.proto").negate())
                .should(ArchCondition.from(describe(
                        "be in a @NullMarked package",
                        subject -> subject.getPackage().isAnnotatedWith(NullMarked.class))));
    }

    ArchRule ratisStaysInItsPackage() {
        return noClasses()
                .that(are("state.ratis").negate())
                .should()
                .dependOnClassesThat(resideInAPackage("org.apache.ratis.."));
    }

    ArchRule rocksDbStaysInItsPackage() {
        return noClasses()
                .that(are("state.rocksdb").negate())
                .should()
                .dependOnClassesThat(resideInAPackage("org.rocksdb.."));
    }

    ArchRule transportStaysAtTheEdge() {
        return noClasses()
                .that(decide().or(are("state.core", "state.conflicts", "client.http")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.linecorp.armeria..", "io.grpc..", "io.netty.."));
    }

    ArchRule generatedMessagesStayAtTheEdge() {
        return noClasses()
                .that(decide().or(are("state.core", "state.conflicts", "state.ratis", "state.rocksdb")))
                .should()
                .dependOnClassesThat(are(GENERATED).or(resideInAPackage("com.google.protobuf..")));
    }

    ArchRule onlyTheCommandPrints() {
        return noClasses().that(are("cli", "bench").negate()).should().accessField(System.class, "out");
    }

    ArchRule decisionsReadNoClock() {
        return noClasses().that(decide()).should().accessTargetWhere(Impurity.readsAClock());
    }

    ArchRule decisionsDrawOnlyFromTheirSeed() {
        return noClasses().that(decide()).should().accessTargetWhere(Impurity.drawsWithoutASeed());
    }

    ArchRule decisionsKnowNoThreads() {
        return noClasses()
                .that(decide())
                .should()
                .dependOnClassesThat(Impurity.areForThreads())
                .orShould()
                .accessTargetWhere(Impurity.startsOrAwaitsThreads());
    }

    ArchRule decisionsDoNoInputOrOutput() {
        return noClasses()
                .that(decide())
                .should()
                .dependOnClassesThat(Impurity.areForInputOrOutput())
                .orShould()
                .accessTargetWhere(Impurity.asksTheMachine());
    }

    /**
     * The parts whose result must be the same on every replica, and in the live system and the simulator. Two parts of the
     * simulator decide nothing: {@code sweep} spreads whole runs over threads and measures their time, and {@code files} reads
     * traces and writes figures. A run uses neither.
     */
    private DescribedPredicate<JavaClass> decide() {
        return are(
                "transactions",
                "transactions.naive",
                "scheduling",
                "scheduler.batch",
                "scheduler.service",
                "simulator");
    }

    /** Classes of these parts, or in packages below them that are not listed separately. */
    private DescribedPredicate<JavaClass> are(String... parts) {
        Set<String> named = Set.of(parts);
        if (!PARTS.usesByName().keySet().containsAll(named)) {
            throw new IllegalArgumentException("a rule for no part: " + named);
        }
        return describe(
                "are of " + String.join(", ", parts), subject -> isOurs(subject) && named.contains(part(subject)));
    }

    private boolean isOurs(JavaClass subject) {
        return subject.getPackageName().startsWith(root + ".");
    }

    private String part(JavaClass subject) {
        String path = subject.getPackageName().substring(root.length() + 1);
        return PARTS.nameAbove(path).orElse(path);
    }
}
