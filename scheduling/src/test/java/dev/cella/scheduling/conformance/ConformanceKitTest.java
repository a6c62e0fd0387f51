package dev.cella.scheduling.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.Scheduler;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit passes a correct scheduler, and the right check catches each planted wrong one. */
final class ConformanceKitTest {
    @Test
    void aRightPlanner_passes() {
        ConformanceKit.of(PlantedSchedulers.FIRST_FIT).check();
    }

    static Stream<Arguments> aWrongScheduler_isCaughtByItsCheck() {
        return Stream.of(
                arguments(made(PlantedSchedulers.OVER_CLAIMS), "NoOverClaim", "it throws"),
                arguments(
                        (Supplier<Scheduler<?>>) PlantedSchedulers.Unseeing::new,
                        "NoOverClaim",
                        "nobody else is there"),
                arguments(PlantedSchedulers.countingItsPlans(), "SameSeedSamePlan", "differs from the one before"),
                arguments(made(PlantedSchedulers.SAYS_FULL), "HonestReasons", "it says that a task does not fit"),
                arguments(made(PlantedSchedulers.SAYS_NEVER), "HonestReasons", "it says that no machine could ever"),
                arguments(made(PlantedSchedulers.COUNTS_ONE), "HonestReasons", "its counts add up to 1 machines"),
                arguments(made(PlantedSchedulers.DESPAIRS), "SurvivesConflicts", "it goes on and on"),
                arguments(
                        (Supplier<Scheduler<?>>) PlantedSchedulers.Hoarding::new,
                        "StopsWhenAsked",
                        "was stopped, and this plan is about it"),
                arguments(
                        (Supplier<Scheduler<?>>) PlantedSchedulers.Forgetful::new,
                        "KeepsUpWithTheFeed",
                        "are still pending"),
                arguments(made(PlantedSchedulers.LOOKS_AROUND), "KeepsToItsPart", "it was narrowed to"),
                arguments((Supplier<Scheduler<?>>) PlantedSchedulers.Impatient::new, "PlacesGangsWhole", "minClaims"));
    }

    private static Supplier<Scheduler<?>> made(JobPlanner planner) {
        return planner::scheduler;
    }

    @ParameterizedTest
    @MethodSource
    void aWrongScheduler_isCaughtByItsCheck(Supplier<Scheduler<?>> wrong, String check, String what) {
        AssertionError caught = catchThrowableOfType(
                AssertionError.class, () -> ConformanceKit.of(wrong).check());

        assertThat(caught)
                .hasMessageContaining("(" + check + ")")
                .hasMessageContaining(what)
                .hasMessageContainingAll("  seed  ", "  view  version ", "  plan  ");
    }

    @Test
    void aFailure_isSeenAgainWithItsSeed() {
        ConformanceKit kit = ConformanceKit.of(PlantedSchedulers.SAYS_NEVER);
        AssertionError caught = catchThrowableOfType(AssertionError.class, kit::check);
        String seed = String.valueOf(caught.getMessage()).replaceAll("(?s).*  seed  (\\d+).*", "$1");

        AssertionError again = catchThrowableOfType(
                AssertionError.class, () -> kit.withSeed(Long.parseLong(seed)).check());

        assertThat(again).hasMessage(caught.getMessage());
    }

    @Test
    void aPlanOnASampleCell_answersWhatATestAsks() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192).machine("m2", 1_000, 8_192);

        SamplePlan plan = cell.plan(PlantedSchedulers.FIRST_FIT, SampleCell.batch("j", 12, 1_000, 512));

        assertThat(plan.claims()).isEqualTo(9);
        assertThat(plan.claimsOn("m2")).isEqualTo(1);
        assertThat(plan.reasons()).isEqualTo("3 machines lack cpuMilli");
        assertThat(plan.toString()).contains("j/0/0 on m0", "3 of j/0 unplaced: 3 machines lack cpuMilli");
    }
}
