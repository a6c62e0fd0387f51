package dev.cella.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TraceFormatTest {
    private static Trace read(String text) throws IOException, UnreadableTraceException {
        return TraceFormat.readAny(new BufferedReader(new StringReader(text)));
    }

    @Test
    void tr_givesEachTaskItsOwnTime() throws Exception {
        Trace.Arrivals trace = (Trace.Arrivals) read("0.5  2  1.5  1  2  \n7.25 1 3 3\n");

        assertThat(trace.jobs()).hasSize(2);
        SimulatedJob first = trace.jobs().get(0);
        assertThat(first.submittedNanos()).isEqualTo(VirtualTime.nanos(0.5));
        assertThat(first.tasks()).isEqualTo(2);
        assertThat(first.times().nanos(0)).isEqualTo(VirtualTime.nanos(1));
        assertThat(first.times().nanos(1)).isEqualTo(VirtualTime.nanos(2));
    }

    @Test
    void swim_hasATaskForEachBlockOfInput() throws Exception {
        Trace.Arrivals trace =
                (Trace.Arrivals) read("job0\t49\t49\t740773\t2339561\t627471\njob1\t50\t1\t536870912\t0\t0\tpath\t\n");

        assertThat(trace.jobs().get(0))
                .isEqualTo(new SimulatedJob(Workload.BATCH, 0, 49_000_000_000L, 1, 1_000_000_000L));
        assertThat(trace.jobs().get(1))
                .isEqualTo(new SimulatedJob(Workload.BATCH, 1, 50_000_000_000L, 4, 8_000_000_000L));
    }

    @Test
    void google_sharesOutWhatAJobHeld() throws Exception {
        Trace.Standing trace =
                (Trace.Standing) read("11 0 77 1 3 4 0.5 4194304\n11 0 78 0 0 1 1.2 2097152\n12 6.5 77 1 3 81\n");

        assertThat(trace.jobs())
                .containsExactly(
                        new StandingJob(4, 125, 1, VirtualTime.nanos(6.5)),
                        new StandingJob(1, 1200, 2, VirtualTime.NEVER));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 2 1.5 1           | line 1, column 10: the job has 2 tasks, but only 1 durations",
                "0 2 1.5 1 2 3       | line 1, column 13: the job has 2 tasks, but 3 durations",
                "0 2 1.5 1 2x        | line 1, column 11: a duration is a number, not \"2x\"",
                "0 1 1 1~0 0 1 1     | line 2, column 3: the number of tasks is from 1 to 100000, not 0",
                "0 1 1 1~-4 1 1 1    | line 2, column 1: the arrival is not negative and not infinite, but -4",
                "4e9 1 1 1           | line 1, column 1: the arrival is at most 95 years, not 4000000000 seconds",
                "0 2 1.5 1 4e9       | line 1, column 11: a duration is at most 95 years, not 4000000000 seconds",
                "j1,0,0,1,1e20,1     | line 1, column 8: the time of a task, which follows from its bytes, is at most 95 years, not 5960464477539 seconds",
                "0 1                 | line 1, column 4: a job has an arrival, a number of tasks, a mean duration and durations",
                "j1,0,0,1,1          | line 1, column 11: a job has a name, an arrival, a gap, and bytes of input, shuffle and output, by tabs",
                "j1,0,0,1,one,1      | line 1, column 10: shuffle bytes is a number, not \"one\"",
                "11 0 7 1 3 4 0.5 10~11 0 8 1 3 4 0.5 | line 2, column 17: the line has 7 columns of 8",
                "11 0 7 1 3 4 0.5 10~12 5 8 1 3 4     | line 2, column 6: job 8 ends, and no line before says that it stood there",
                "11 0 7 1 3 4 0.5 10~13 5 7 1 3 4     | line 2, column 1: a line begins with 11 or 12, not \"13\"",
            })
    void damaged_saysLineAndColumn(String text, String fault) {
        String trace = text.replace('~', '\n').replace(',', '\t');

        assertThatThrownBy(() -> read(trace))
                .isInstanceOf(UnreadableTraceException.class)
                .hasMessage(fault);
    }

    @Test
    void empty_isReported() {
        assertThatThrownBy(() -> read("\n \n")).hasMessage("line 1, column 1: there is nothing in it");
    }
}
