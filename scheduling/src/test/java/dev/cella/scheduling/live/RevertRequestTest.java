package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.RevertJobRequest;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.transactions.model.JobId;
import org.junit.jupiter.api.Test;

/** A scheduler reverts the update that has failed, and never a newer one. */
class RevertRequestTest {
    private final SampleCell cell = SampleCell.of(1, 4_000, 8_192);

    @Test
    void updateSinceThePlan_isNotReverted() {
        JobId job = cell.submit(SampleCell.batch("web", 2, 1_000, 64));
        cell.update(SampleCell.batch("web", 2, 1_200, 64));
        Revert failed = new Revert(new JobKey(0, job), 2, 1);

        RevertJobRequest request = LiveSeat.revertRequest(failed, cell.view()).orElseThrow();
        assertThat(request.getName()).isEqualTo("web");
        assertThat(request.getGeneration()).isEqualTo(1);

        cell.update(SampleCell.batch("web", 2, 1_300, 64));
        assertThat(LiveSeat.revertRequest(failed, cell.view())).isEmpty();
    }

    @Test
    void jobThatIsGone_isNotReverted() {
        Revert failed = new Revert(new JobKey(0, new JobId(99)), 2, 1);
        assertThat(LiveSeat.revertRequest(failed, cell.view())).isEmpty();
    }
}
