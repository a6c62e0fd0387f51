package dev.cella.client.live;

import dev.cella.client.proto.TableDigests;
import dev.cella.transactions.cell.tables.CellDigests;
import java.util.ArrayList;
import java.util.List;

/** The digests of the tables in the feed, compared with those of a copy. */
public final class DigestCheck {
    private DigestCheck() {}

    public static TableDigests message(CellDigests digests) {
        return TableDigests.newBuilder()
                .setHead(digests.head())
                .setMachines(digests.machines())
                .setJobs(digests.jobs())
                .setTasks(digests.tasks())
                .setSessions(digests.sessions())
                .setPolicies(digests.policies())
                .setHolds(digests.holds())
                .setQueues(digests.queues())
                .build();
    }

    /** The names of the tables that differ. */
    static List<String> differences(TableDigests told, CellDigests found) {
        List<String> differing = new ArrayList<>();
        compare("head", told.getHead(), found.head(), differing);
        compare("machines", told.getMachines(), found.machines(), differing);
        compare("jobs", told.getJobs(), found.jobs(), differing);
        compare("tasks", told.getTasks(), found.tasks(), differing);
        compare("sessions", told.getSessions(), found.sessions(), differing);
        compare("policies", told.getPolicies(), found.policies(), differing);
        compare("holds", told.getHolds(), found.holds(), differing);
        compare("queues", told.getQueues(), found.queues(), differing);
        return differing;
    }

    private static void compare(String table, long told, long found, List<String> differing) {
        if (told != found) {
            differing.add(table);
        }
    }
}
