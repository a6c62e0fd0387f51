package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class JobShareTest {
    private static final int JOBS = 3_000;
    private static final SessionRow A = session(10, "batch", "a");
    private static final SessionRow B = session(11, "batch", "b");
    private static final SessionRow C = session(12, "batch", "c");
    private static final SessionRow OTHER = session(13, "web", "a");

    private static SessionRow session(long id, String scheduler, String instance) {
        return new SessionRow(new SessionId(id), scheduler, instance, scheduler, 10_000, id);
    }

    private static Map<JobId, SessionId> owners(SessionRow... open) {
        JobShare share = JobShare.of(List.of(open), "batch");
        return LongStream.rangeClosed(1, JOBS)
                .mapToObj(JobId::new)
                .collect(Collectors.toMap(
                        Function.identity(), job -> share.ownerOf(job).orElseThrow()));
    }

    @Test
    void ownerOf_withoutSessions_isNobody() {
        assertThat(JobShare.of(List.of(OTHER), "batch").ownerOf(new JobId(1))).isEmpty();
    }

    @Test
    void ownerOf_dividesTheJobsAboutEvenly() {
        Map<SessionId, Long> counts = owners(A, B, C, OTHER).values().stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(counts.keySet()).containsExactlyInAnyOrder(A.id(), B.id(), C.id());
        assertThat(counts.values()).allMatch(count -> count > 0.8 * JOBS / 3);
    }

    /** Instances of two releases must divide the jobs in the same way. */
    @Test
    void ownerOf_neverChanges() {
        Map<JobId, SessionId> owners = owners(A, B, C);
        assertThat(LongStream.rangeClosed(1, 8).mapToObj(job -> owners.get(new JobId(job))))
                .containsExactly(A.id(), A.id(), B.id(), A.id(), B.id(), C.id(), A.id(), A.id());
    }

    @Test
    void sessionThatGoes_movesItsOwnJobsAlone() {
        Map<JobId, SessionId> before = owners(A, B, C);
        Map<JobId, SessionId> after = owners(A, C);
        before.forEach((job, owner) -> {
            if (!owner.equals(B.id())) {
                assertThat(after.get(job)).isEqualTo(owner);
            }
        });
    }

    @Test
    void instanceThatOpensItsSessionAgain_hasTheSameJobs() {
        Map<JobId, SessionId> before = owners(A, B);
        SessionRow again = session(99, "batch", "a");
        Map<JobId, SessionId> after = owners(again, B);
        before.forEach((job, owner) -> assertThat(after.get(job)).isEqualTo(owner.equals(A.id()) ? again.id() : owner));
    }

    @Test
    void sessionsThatAreReadAgain_divideAsBefore_andOthersDoNot() {
        JobShare share = JobShare.of(List.of(A, B, OTHER), "batch");
        assertThat(share.isSameAs(JobShare.of(List.of(A, B), "batch"))).isTrue();
        assertThat(share.isSameAs(JobShare.of(List.of(A), "batch"))).isFalse();
        assertThat(share.isSameAs(JobShare.of(List.of(session(99, "batch", "a"), B), "batch")))
                .isFalse();
    }
}
