package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that begin with a late generation, because others had their name before. */
class CommonCellTest {
    private static final int USES = 1_000;
    private static final Incarnation INCARNATION = new Incarnation(7);
    private static final EntryHeader HEADER = new EntryHeader(1, new CellTime(1_000), 1_000, INCARNATION);

    private final CommonCell cell = new CommonCell(CellLimits.STANDARD);
    private final ColdChanges coldRows = new ColdChanges();
    private final List<JobId> jobs = new ArrayList<>();

    @BeforeEach
    void useOneNameAgainAndAgain() {
        apply(new Command.FoundCell(new CellName("common"), INCARNATION));
        for (int use = 0; use < USES; use++) {
            JobId job = new JobId(apply(Samples.job("minutely", 1)).identity());
            apply(new Command.StopJob(job));
            jobs.add(job);
        }
    }

    @Test
    void apply_forgottenJobs_areOneChangeEach() {
        jobs.forEach(job -> apply(new Command.ForgetJob(job)));
        List<JobId> dropped = new ArrayList<>();
        coldRows.forEach(new ColdChanges.Rows() {
            @Override
            public void put(ColdKey key, byte[] row) {
                throw new AssertionError(key + " is not forgotten");
            }

            @Override
            public void drop(JobId job, int lastGeneration) {
                dropped.add(job);
            }
        });
        assertThat(dropped).containsExactlyInAnyOrderElementsOf(jobs);
    }

    @Test
    void backup_hasAllGenerationsOfAJob_andLooksForNoneOfEarlierJobs() throws Exception {
        jobs.subList(0, USES - 1).forEach(job -> apply(new Command.ForgetJob(job)));
        Command.SubmitJob submit = (Command.SubmitJob) Samples.job("minutely", 1);
        JobId live = new JobId(apply(submit).identity());
        apply(new Command.SubmitJob(
                submit.header(), Samples.specification("another"), Command.SubmitMode.CREATE_OR_UPDATE));

        List<ColdKey> asked = new ArrayList<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter.write(cell.backup(), key -> find(key, asked), out);

        assertThat(BackupReader.read(new ByteArrayInputStream(out.toByteArray()))
                        .specifications())
                .containsOnlyKeys(
                        ColdKey.specification(jobs.get(USES - 1), USES),
                        ColdKey.specification(live, USES + 1),
                        ColdKey.specification(live, USES + 2));
        assertThat(asked)
                .as("the keys above, and one below the first generation of each job")
                .hasSize(5);
    }

    private Optional<byte[]> find(ColdKey key, List<ColdKey> asked) {
        asked.add(key);
        return coldRows.find(key).flatMap(ColdChanges.Change::row);
    }

    private CommandResult.Done apply(Command command) {
        Entry entry = new Entry(HEADER, List.of(CommandCodec.encode(Samples.TEST, command)));
        return (CommandResult.Done) cell.apply(entry, coldRows).get(0);
    }
}
