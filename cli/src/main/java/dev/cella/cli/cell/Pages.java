package dev.cella.cli.cell;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.ListPoolsRequest;
import dev.cella.client.proto.ListSchedulersRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.MachineList;
import dev.cella.client.proto.PoolList;
import dev.cella.client.proto.SchedulerList;
import dev.cella.client.proto.TaskList;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads whole lists from pages that all show the same version of the cell. Only the server that made a page knows the next one:
 * when another server is asked for it, as after a restart, the list begins again.
 */
public final class Pages {
    private static final int ROWS = 1000;
    private static final int TRIES = 3;

    private Pages() {}

    public static JobList jobs(HttpCell cell, ListJobsRequest which) {
        return whole(JobList.class, token -> {
            ListJobsRequest.Builder page = which.toBuilder().setLimit(ROWS);
            token.ifPresent(page::setPageToken);
            return cell.listJobs(page.build());
        });
    }

    public static MachineList machines(HttpCell cell, ListMachinesRequest which) {
        return whole(MachineList.class, token -> {
            ListMachinesRequest.Builder page = which.toBuilder().setLimit(ROWS);
            token.ifPresent(page::setPageToken);
            return cell.listMachines(page.build());
        });
    }

    public static TaskList tasks(HttpCell cell, ListTasksRequest which) {
        return whole(TaskList.class, token -> {
            ListTasksRequest.Builder page = which.toBuilder().setLimit(ROWS);
            token.ifPresent(page::setPageToken);
            return cell.listTasks(page.build());
        });
    }

    public static PoolList pools(HttpCell cell) {
        return whole(PoolList.class, token -> {
            ListPoolsRequest.Builder page = ListPoolsRequest.newBuilder().setLimit(ROWS);
            token.ifPresent(page::setPageToken);
            return cell.listPools(page.build());
        });
    }

    public static SchedulerList schedulers(HttpCell cell) {
        return whole(SchedulerList.class, token -> {
            ListSchedulersRequest.Builder page =
                    ListSchedulersRequest.newBuilder().setLimit(ROWS);
            token.ifPresent(page::setPageToken);
            return cell.listSchedulers(page.build());
        });
    }

    /** Asks for each page by the token of the one before. */
    private static <L extends Message> L whole(Class<L> type, Function<Optional<String>, L> ask) {
        for (int triesLeft = TRIES; ; triesLeft--) {
            try {
                return type.cast(joined(ask));
            } catch (Problem problem) {
                if (problem.type() != ProblemType.GONE || triesLeft <= 1) {
                    throw problem;
                }
            }
        }
    }

    private static Message joined(Function<Optional<String>, ? extends Message> ask) {
        Message page = ask.apply(Optional.empty());
        FieldDescriptor token = page.getDescriptorForType().findFieldByName("next_page_token");
        Message.Builder all = page.toBuilder();
        while (page.hasField(token)) {
            page = ask.apply(Optional.of((String) page.getField(token)));
            all.mergeFrom(page);
        }
        return all.clearField(token).build();
    }
}
