package dev.cella.client.job;

import dev.cella.client.json.Fault;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@code after} must be: the names of other groups, and in no circle. */
final class OrderRules {
    private final List<Fault> faults = new ArrayList<>();
    private final Map<String, List<String>> after = new LinkedHashMap<>();

    private OrderRules(Job job) {
        job.getGroupsList().forEach(group -> after.put(name(group), group.getAfterList()));
    }

    private static String name(Group group) {
        return group.hasName() ? group.getName() : JobRules.GROUP_NAME_DEFAULT;
    }

    static List<Fault> check(Job job) {
        OrderRules rules = new OrderRules(job);
        for (int index = 0; index < job.getGroupsCount(); index++) {
            Group group = job.getGroups(index);
            if (group.getAfterCount() > 0) {
                rules.check("groups[" + index + "].after", group, job.getType());
            }
        }
        return rules.faults;
    }

    private void check(String path, Group group, JobType type) {
        if (type == JobType.JOB_TYPE_SERVICE) {
            faults.add(Fault.of(path, "is of a batch job: the tasks of a service never finish"));
            return;
        }
        for (int place = 0; place < group.getAfterCount(); place++) {
            String other = group.getAfter(place);
            if (!after.containsKey(other)) {
                faults.add(Fault.of(path + "[" + place + "]", noSuchGroup(other)));
            }
        }
        if (waitsFor(name(group)).contains(name(group))) {
            faults.add(Fault.of(path, "waits for itself, so no task of it ever starts"));
        }
    }

    private String noSuchGroup(String name) {
        return "no such group: " + name
                + NearestName.to(name, List.copyOf(after.keySet()))
                        .map(near -> ", did you mean " + near + "?")
                        .orElse(", there are " + String.join(", ", after.keySet()));
    }

    /** All groups that one waits for, and those that they wait for. */
    private Set<String> waitsFor(String group) {
        Set<String> found = new HashSet<>();
        List<String> next = new ArrayList<>(after.getOrDefault(group, List.of()));
        while (!next.isEmpty()) {
            String other = next.remove(next.size() - 1);
            if (found.add(other)) {
                next.addAll(after.getOrDefault(other, List.of()));
            }
        }
        return found;
    }
}
