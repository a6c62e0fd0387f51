package dev.cella.cli.cell;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.MachineList;
import dev.cella.client.proto.TaskList;

/** Reads whole lists from pages that all show the same version of the cell. */
public final class Pages {
    private static final int ROWS = 1000;

    private Pages() {}

    public static JobList jobs(HttpCell cell, ListJobsRequest which) {
        ListJobsRequest request = which.toBuilder().setLimit(ROWS).build();
        JobList page = cell.listJobs(request);
        JobList.Builder all = page.toBuilder().clearNextPageToken();
        while (page.hasNextPageToken()) {
            page = cell.listJobs(
                    request.toBuilder().setPageToken(page.getNextPageToken()).build());
            all.addAllJobs(page.getJobsList());
        }
        return all.build();
    }

    public static MachineList machines(HttpCell cell, ListMachinesRequest which) {
        ListMachinesRequest request = which.toBuilder().setLimit(ROWS).build();
        MachineList page = cell.listMachines(request);
        MachineList.Builder all = page.toBuilder().clearNextPageToken();
        while (page.hasNextPageToken()) {
            page = cell.listMachines(
                    request.toBuilder().setPageToken(page.getNextPageToken()).build());
            all.addAllMachines(page.getMachinesList());
        }
        return all.build();
    }

    public static TaskList tasks(HttpCell cell, ListTasksRequest which) {
        ListTasksRequest request = which.toBuilder().setLimit(ROWS).build();
        TaskList page = cell.listTasks(request);
        TaskList.Builder all = page.toBuilder().clearNextPageToken();
        while (page.hasNextPageToken()) {
            page = cell.listTasks(
                    request.toBuilder().setPageToken(page.getNextPageToken()).build());
            all.addAllTasks(page.getTasksList());
        }
        return all.build();
    }
}
