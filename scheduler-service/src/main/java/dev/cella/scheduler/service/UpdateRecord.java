package dev.cella.scheduler.service;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.Progress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The data that the cell stores for the updates of one job, so that another instance of the scheduler can continue: the
 * generation that was complete last, the failed one, the tasks' specifications in each generation, and the number of
 * additional tasks during an update.
 *
 * @param stable the newest generation that was complete; 0 if none is known
 * @param failed the generation whose update has failed; 0 if none
 * @param inPlace the generation that finds no room for additional tasks; 0 if none
 * @param contents by generation, the specification of each group's tasks
 * @param surges by group, its additional tasks during the update
 */
record UpdateRecord(
        int stable, int failed, int inPlace, Map<Integer, List<Long>> contents, Map<Integer, Surge> surges) {
    /**
     * A group that was scaled from {@code base} tasks by {@code more}.
     *
     * @param askedVersion when a person had asked for {@code base} tasks; 0 if the cell did not store that
     */
    record Surge(int base, int more, long askedVersion) {
        /** The version in the record of an earlier program, which did not write it. */
        static final long NOT_WRITTEN = -1;

        int count() {
            return base + more;
        }

        /** Returns whether the group has these additional tasks, and nobody has asked for another number since. */
        boolean isOf(GroupRow group) {
            boolean isAsked = askedVersion != NOT_WRITTEN && askedVersion != group.askedVersion();
            return group.header().count() == count() && !isAsked;
        }
    }

    static final UpdateRecord NONE = new UpdateRecord(0, 0, 0, Map.of(), Map.of());

    UpdateRecord {
        contents = Map.copyOf(contents);
        surges = Map.copyOf(surges);
    }

    boolean knows(int generation) {
        return contents.containsKey(generation);
    }

    /** The specification of the group's tasks in that generation; 0 if it is not known. */
    long content(int generation, int group) {
        List<Long> groups = contents.getOrDefault(generation, List.of());
        return group < groups.size() ? groups.get(group) : 0;
    }

    UpdateRecord withStable(int generation) {
        return new UpdateRecord(generation, 0, 0, contents, surges);
    }

    UpdateRecord withFailed(int generation) {
        return new UpdateRecord(stable, generation, inPlace, contents, surges);
    }

    UpdateRecord withInPlace(int generation) {
        return new UpdateRecord(stable, failed, generation, contents, surges);
    }

    UpdateRecord withContent(int generation, List<Long> groups) {
        Map<Integer, List<Long>> more = new TreeMap<>(contents);
        more.put(generation, List.copyOf(groups));
        return new UpdateRecord(stable, failed, inPlace, more, surges);
    }

    UpdateRecord withSurge(int group, Surge surge) {
        Map<Integer, Surge> more = new TreeMap<>(surges);
        more.put(group, surge);
        return new UpdateRecord(stable, failed, inPlace, contents, more);
    }

    UpdateRecord withoutSurge(int group) {
        Map<Integer, Surge> less = new TreeMap<>(surges);
        less.remove(group);
        return new UpdateRecord(stable, failed, inPlace, contents, less);
    }

    // ---- as bytes

    /**
     * Lines of text. If they are too long, the contents of the oldest generations are left out, except the stable one.
     */
    Progress toProgress() {
        StringBuilder text = new StringBuilder();
        text.append("stable ").append(stable).append('\n');
        text.append("failed ").append(failed).append('\n');
        text.append("inPlace ").append(inPlace).append('\n');
        new TreeMap<>(surges)
                .forEach((group, surge) -> text.append("surge ")
                        .append(group)
                        .append(' ')
                        .append(surge.base())
                        .append(' ')
                        .append(surge.more())
                        .append(' ')
                        .append(surge.askedVersion())
                        .append('\n'));
        contentLines().forEach(line -> {
            if (text.length() + line.length() <= Progress.BYTES_MAX) {
                text.append(line);
            }
        });
        return Progress.of(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** The stable one first, then the newest. */
    private List<String> contentLines() {
        TreeMap<Integer, List<Long>> sorted = new TreeMap<>(contents);
        List<String> lines = new ArrayList<>();
        List<Long> ofStable = sorted.remove(stable);
        if (ofStable != null) {
            lines.add(contentLine(stable, ofStable));
        }
        sorted.descendingMap().forEach((generation, groups) -> lines.add(contentLine(generation, groups)));
        return lines;
    }

    private static String contentLine(int generation, List<Long> groups) {
        StringBuilder line = new StringBuilder("content ").append(generation);
        groups.forEach(content -> line.append(' ').append(Long.toHexString(content)));
        return line.append('\n').toString();
    }

    /** Ignores the progress of another scheduler type. */
    static UpdateRecord of(Progress progress) {
        String text = new String(progress.bytes(), StandardCharsets.US_ASCII);
        if (!text.startsWith("stable ")) {
            return NONE;
        }
        UpdateRecord read = NONE;
        for (String line : text.lines().toList()) {
            read = read.with(line.split(" ", -1));
        }
        return read;
    }

    private UpdateRecord with(String[] words) {
        int number = Integer.parseInt(Objects.requireNonNull(words[1]));
        return switch (words[0]) {
            case "stable" -> withStable(number);
            case "failed" -> withFailed(number);
            case "inPlace" -> withInPlace(number);
            case "surge" -> withSurge(number, surge(words));
            case "content" -> withContent(number, contents(words));
            default -> this;
        };
    }

    private static Surge surge(String[] words) {
        long askedVersion = words.length > 4 ? Long.parseLong(words[4]) : Surge.NOT_WRITTEN;
        return new Surge(Integer.parseInt(words[2]), Integer.parseInt(words[3]), askedVersion);
    }

    private static List<Long> contents(String[] words) {
        List<Long> groups = new ArrayList<>();
        for (int place = 2; place < words.length; place++) {
            groups.add(Long.parseUnsignedLong(words[place], 16));
        }
        return groups;
    }
}
