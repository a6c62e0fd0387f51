package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Table 4.1: "ramp-up T or T ln k; completion (1/2 + beta) T, (1 + beta) T, rigid (ln k + beta) T". */
final class RampUpPaperTest {
    @ParameterizedTest
    @CsvSource({"10, CONSTANT", "100, CONSTANT", "10, EXPONENTIAL", "100, EXPONENTIAL"})
    void measured_isTheClosedForm(int slots, RampUp.TaskTimes times) {
        RampUp.Row measured = RampUp.measure(slots, times);
        assertThat(measured.isWithin(0.05, RampUp.paper(slots, times)))
                .as("%s", measured)
                .isTrue();
    }

    /** "The exact values are harmonic, H_k rather than ln k (k = 10: 2.93 against 2.30)." */
    @ParameterizedTest
    @CsvSource({"10, 2.93, 2.30", "100, 5.19, 4.61"})
    void exponentialRampUp_isTheHarmonicNumber(int slots, double harmonic, double logarithm) {
        RampUp.Row paper = RampUp.paper(slots, RampUp.TaskTimes.EXPONENTIAL);
        assertThat(paper.rampUp()).isCloseTo(harmonic, within(0.01));
        assertThat(Math.log(slots)).isCloseTo(logarithm, within(0.01));
        assertThat(paper.rigid()).isCloseTo(harmonic + RampUp.JOB_LENGTH, within(0.01));
    }
}
