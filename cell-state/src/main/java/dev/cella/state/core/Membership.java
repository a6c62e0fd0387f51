package dev.cella.state.core;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All replicas of a cell, and which of them this one is. Every replica has the same list.
 *
 * @param self the name of this replica
 * @param members all replicas, with this one; empty for a lone replica
 */
public record Membership(String self, List<Member> members) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");

    /**
     * One replica and its addresses.
     *
     * @param name never reused and never changed
     * @param log {@code host:port}, where the other logs reach its log
     * @param address {@code http://host:port}, the address of its doors
     */
    public record Member(String name, String log, URI address) {
        private static final Set<String> SCHEMES = Set.of("http", "https");
        private static final Pattern HOST_PORT = Pattern.compile(".+:[1-9][0-9]{0,4}");

        public Member {
            check(NAME.matcher(name).matches(), name + " is no name of a replica: lower-case letters, digits, - and .");
            check(HOST_PORT.matcher(log).matches(), log + " is no host:port for the log of " + name);
            check(isAddress(address), address + " is no http://host:port for the doors of " + name);
        }

        private static boolean isAddress(URI address) {
            return SCHEMES.contains(String.valueOf(address.getScheme()))
                    && address.getHost() != null
                    && address.getPort() > 0;
        }
    }

    public Membership {
        members = List.copyOf(members);
        Set<Object> used = new HashSet<>();
        for (Member member : members) {
            check(used.add(member.name), "two replicas are called " + member.name);
            check(used.add("log " + member.log), "two replicas have their log at " + member.log);
            check(used.add(member.address), "two replicas are at " + member.address);
        }
        check(members.isEmpty() || used.contains(self), self + " is not one of the replicas");
    }

    /** The only replica of its cell. No other needs its address. */
    public static Membership alone() {
        return new Membership("r1", List.of());
    }

    public boolean isAlone() {
        return members.size() <= 1;
    }

    public Optional<Member> find(String name) {
        return members.stream().filter(member -> member.name.equals(name)).findFirst();
    }

    /** All members but this one. */
    public List<Member> others() {
        return members.stream().filter(member -> !member.name.equals(self)).toList();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
