package dev.cella.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows that the rules of {@link Architecture} can fail: below {@code dev.cella.planted} is a small tree with Cella's shape,
 * where each class is named after its one violation.
 */
final class PlantedViolationsTest {
    private static final String ROOT = "dev.cella.planted";
    private static final Architecture ARCHITECTURE = new Architecture(ROOT);
    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT);

    @ParameterizedTest
    @MethodSource
    void rule_reportsWhatBreaksIt(ArchRule rule, String violator) {
        assertThat(rule.evaluate(PLANTED).getFailureReport().toString()).contains(ROOT + "." + violator);
    }

    static Stream<Arguments> rule_reportsWhatBreaksIt() {
        return Stream.of(
                arguments(ARCHITECTURE.partsUseOnlyWhatTheyMay(), "transactions.UsesTheClient"),
                arguments(ARCHITECTURE.partsUseOnlyWhatTheyMay(), "scheduler.batch.UsesTheLiveConnection"),
                arguments(ARCHITECTURE.partsUseOnlyWhatTheyMay(), "state.core.UsesTheDoors"),
                arguments(ARCHITECTURE.partsUseOnlyWhatTheyMay(), "nowhere.IsOfNoPart"),
                arguments(ARCHITECTURE.packagesHaveNoCircles(), "client.json.CallsBack"),
                arguments(ARCHITECTURE.roomsOfTheCellStayInside(), "scheduler.batch.ReachesForTheTables"),
                arguments(ARCHITECTURE.packagesAreNullMarked(), "transactions.ReadsTheClock"),
                arguments(ARCHITECTURE.ratisStaysInItsPackage(), "state.core.KnowsRatis"),
                arguments(ARCHITECTURE.rocksDbStaysInItsPackage(), "state.core.KnowsRocksDb"),
                arguments(ARCHITECTURE.transportStaysAtTheEdge(), "state.core.KnowsGrpc"),
                arguments(ARCHITECTURE.transportStaysAtTheEdge(), "client.http.KnowsArmeria"),
                arguments(ARCHITECTURE.generatedMessagesStayAtTheEdge(), "scheduling.AnswersAMessage"),
                arguments(ARCHITECTURE.generatedMessagesStayAtTheEdge(), "state.core.AnswersAMessage"),
                arguments(ARCHITECTURE.onlyTheCommandPrints(), "agent.Prints"),
                arguments(ARCHITECTURE.decisionsReadNoClock(), "transactions.ReadsTheClock"),
                arguments(ARCHITECTURE.decisionsReadNoClock(), "scheduler.service.ReadsTheClockByReference"),
                arguments(ARCHITECTURE.decisionsReadNoClock(), "simulator.ReadsTheDate"),
                arguments(ARCHITECTURE.decisionsDrawOnlyFromTheirSeed(), "scheduler.batch.DrawsWithoutASeed"),
                arguments(ARCHITECTURE.decisionsDrawOnlyFromTheirSeed(), "transactions.MakesAnIdentity"),
                arguments(ARCHITECTURE.decisionsDrawOnlyFromTheirSeed(), "simulator.ShufflesWithoutASeed"),
                arguments(ARCHITECTURE.decisionsKnowNoThreads(), "transactions.StartsAThread"),
                arguments(ARCHITECTURE.decisionsKnowNoThreads(), "scheduling.AwaitsAnother"),
                arguments(ARCHITECTURE.decisionsKnowNoThreads(), "simulator.StreamsInParallel"),
                arguments(ARCHITECTURE.decisionsDoNoInputOrOutput(), "transactions.ReadsAFile"),
                arguments(ARCHITECTURE.decisionsDoNoInputOrOutput(), "scheduling.ReadsTheEnvironment"));
    }

    @ParameterizedTest
    @MethodSource
    void rule_isSilentOnWhatKeepsIt(ArchRule rule) {
        assertThat(rule.evaluate(PLANTED).getFailureReport().toString()).doesNotContain("KeepsAllRules");
    }

    static Stream<ArchRule> rule_isSilentOnWhatKeepsIt() {
        return ARCHITECTURE.rules();
    }

    @Test
    void everyRule_hasAViolator() {
        assertThat(ARCHITECTURE.rules().map(rule -> rule.evaluate(PLANTED).hasViolation()))
                .containsOnly(true);
    }

    @Test
    void poms_withAnotherEdge_areSeen() {
        Edges planted = ModulePoms.edges(Path.of("src/test/resources/planted-poms"));

        assertThat(planted.usesByName())
                .isEqualTo(Map.of("transactions", Set.of("cell-client"), "cell-client", Set.of()));
    }
}
