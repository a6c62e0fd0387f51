package dev.cella.transactions.model;

import java.util.Arrays;

/**
 * Members of a dimension that is a set: port numbers, device indexes. Immutable.
 *
 * <p>The set stores the edges of its runs: {@code edges} ascend, and members go from each even place to the next odd one,
 * exclusive. The ports of a machine are a few long runs, and so are the free ones. The cost is proportional to the number of
 * gaps, not to the largest member.
 */
public final class MemberSet {
    /** The largest port. */
    public static final int MEMBER_MAX = 65_535;

    public static final MemberSet NONE = new MemberSet(new int[0]);

    /** Decides whether a member is in the result, from whether it is in each of the two sets. */
    private interface Keeps {
        boolean test(boolean inOne, boolean inOther);
    }

    private final int[] edges;

    private MemberSet(int[] edges) {
        this.edges = edges;
    }

    public static MemberSet of(int... members) {
        MemberSet set = NONE;
        for (int member : members) {
            set = set.plus(run(member, member));
        }
        return set;
    }

    /** All members from the first to the last. */
    public static MemberSet run(int first, int last) {
        return ofRuns(first, last);
    }

    /** The first and last members of runs, in ascending order. No two runs may touch. */
    public static MemberSet ofRuns(int... ends) {
        int[] edges = new int[ends.length];
        int before = -2;
        for (int run = 0; run < ends.length; run += 2) {
            if (ends[run] <= before + 1 || ends[run + 1] < ends[run] || ends[run + 1] > MEMBER_MAX) {
                throw new IllegalArgumentException("no run of members from " + ends[run] + " to " + ends[run + 1]
                        + " after " + before + ", from 0 to " + MEMBER_MAX);
            }
            edges[run] = ends[run];
            edges[run + 1] = ends[run + 1] + 1;
            before = ends[run + 1];
        }
        return edges.length == 0 ? NONE : new MemberSet(edges);
    }

    /** Parses the text that {@link #toString} writes: {@code 20000-20009,20012}. */
    public static MemberSet parse(String text) {
        MemberSet set = NONE;
        for (String part : text.strip().split("\\s*,\\s*", -1)) {
            MemberSet run = parseRun(part);
            if (!set.and(run).isNone()) {
                throw new IllegalArgumentException("'" + text + "' names a member twice: " + set.and(run));
            }
            set = set.plus(run);
        }
        return set;
    }

    private static MemberSet parseRun(String text) {
        String[] ends = text.split("\\s*-\\s*", -1);
        if (ends.length > 2) {
            throw noMembers(text);
        }
        try {
            return run(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
        } catch (NumberFormatException notANumber) {
            throw noMembers(text);
        }
    }

    private static IllegalArgumentException noMembers(String text) {
        return new IllegalArgumentException(
                "'" + text + "' names no members: write them as 20000-20009,20012, from 0 to " + MEMBER_MAX);
    }

    /** How many members it has. */
    public int size() {
        int size = 0;
        for (int run = 0; run < edges.length; run += 2) {
            size += edges[run + 1] - edges[run];
        }
        return size;
    }

    public boolean isNone() {
        return edges.length == 0;
    }

    public boolean contains(MemberSet others) {
        return others.minus(this).isNone();
    }

    /** How many runs of members there are. */
    public int runs() {
        return edges.length / 2;
    }

    public int first(int run) {
        return edges[2 * run];
    }

    public int last(int run) {
        return edges[2 * run + 1] - 1;
    }

    public MemberSet plus(MemberSet others) {
        return others.isNone() ? this : combine(others, (mine, other) -> mine || other);
    }

    public MemberSet minus(MemberSet others) {
        return others.isNone() ? this : combine(others, (mine, other) -> mine && !other);
    }

    public MemberSet and(MemberSet others) {
        return combine(others, (mine, other) -> mine && other);
    }

    /** Walks over the edges of both sets and keeps those at which membership in the result changes. */
    private MemberSet combine(MemberSet others, Keeps keeps) {
        int[] combined = new int[edges.length + others.edges.length];
        int size = 0;
        int one = 0;
        int other = 0;
        while (one < edges.length || other < others.edges.length) {
            int at = Math.min(edgeAt(one), others.edgeAt(other));
            one += edgeAt(one) == at ? 1 : 0;
            other += others.edgeAt(other) == at ? 1 : 0;
            if (keeps.test(one % 2 == 1, other % 2 == 1) != (size % 2 == 1)) {
                combined[size++] = at;
            }
        }
        return size == 0 ? NONE : new MemberSet(Arrays.copyOf(combined, size));
    }

    private int edgeAt(int place) {
        return place < edges.length ? edges[place] : Integer.MAX_VALUE;
    }

    /** The lowest {@code count} members, or all if the set has fewer. */
    public MemberSet lowest(int count) {
        int left = count;
        for (int run = 0; run < edges.length; run += 2) {
            int length = edges[run + 1] - edges[run];
            if (left <= length) {
                return lowest(run, left);
            }
            left -= length;
        }
        return this;
    }

    private MemberSet lowest(int run, int ofIt) {
        if (ofIt <= 0) {
            return NONE;
        }
        int[] lowest = Arrays.copyOf(edges, run + 2);
        lowest[run + 1] = edges[run] + ofIt;
        return new MemberSet(lowest);
    }

    /** The members in ascending order. */
    public int[] toArray() {
        int[] members = new int[size()];
        int place = 0;
        for (int run = 0; run < runs(); run++) {
            for (int member = first(run); member <= last(run); member++) {
                members[place++] = member;
            }
        }
        return members;
    }

    public long digest() {
        long digest = edges.length;
        for (int edge : edges) {
            digest = Digests.mix(digest, edge);
        }
        return digest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemberSet that && Arrays.equals(edges, that.edges);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(edges);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int run = 0; run < runs(); run++) {
            text.append(run == 0 ? "" : ",").append(first(run));
            if (last(run) > first(run)) {
                text.append('-').append(last(run));
            }
        }
        return text.toString();
    }
}
