package dev.cella.state.core;

import dev.cella.state.core.StartRefusedException.Why;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Decides when one of several replicas may begin its log in an empty directory.
 *
 * <h2>Why not at once</h2> A replica that has lost its disk looks like a new one. If it started again, it could vote for a
 * leader that lacks entries which this replica has acknowledged. If one more replica lags, acknowledged commands are lost.
 * So an empty directory alone never proves that the replica is new.
 *
 * <h2>The rule</h2> A cell is founded when all its replicas are present and all are empty. Each asks the others. A replica
 * that has seen all of them empty records their directories and begins. The cell's id follows from those directories, so all
 * compute the same id without choosing a founder. A replica that comes late, or was killed in between, finds its own directory
 * in another replica's record, and begins. A replica that finds another directory recorded under its name has lost its data; a
 * replica that finds none is new. Both wait until an operator tells the cell to accept them, as new members that count once
 * they have caught up.
 *
 * <p>With its directory, each tells the newest feature level that its program knows. The cell is founded at the oldest of
 * these levels. It is recorded with the directories, so a replica that comes late founds the cell at the same level.
 *
 * <p>A pure function of the replicas' answers.
 */
public final class Founding {
    private static final Set<Integer> COUNTS = Set.of(1, 3, 5);

    /** The next step of an empty replica. */
    public sealed interface Step {}

    /** Some replicas have not answered yet. */
    public record Wait(String until) implements Step {}

    /** The replica records this identity and begins its log. */
    public record Begin(DirectoryIdentity founded) implements Step {}

    public record Refuse(StartRefusedException why) implements Step {}

    private Founding() {}

    /**
     * @param answers the other replicas' answers about their directories, by name, without silent ones
     */
    static Step next(DirectoryIdentity own, Membership membership, Map<String, DirectoryIdentity> answers) {
        for (Map.Entry<String, DirectoryIdentity> answer : answers.entrySet()) {
            if (!answer.getValue().cell().equals(own.cell())) {
                return new Refuse(otherCell(answer.getKey(), answer.getValue(), own));
            }
        }
        Optional<Step> joining = joinAny(own, membership.self(), answers);
        if (joining.isPresent()) {
            return joining.get();
        }
        for (Membership.Member other : membership.others()) {
            if (!answers.containsKey(other.name())) {
                return new Wait("replica " + other.name() + " at " + other.address());
            }
        }
        if (!COUNTS.contains(membership.members().size())) {
            return new Refuse(new StartRefusedException(
                    Why.OTHER_REPLICA,
                    "a cell is founded by 1, 3 or 5 replicas, not by "
                            + membership.members().size(),
                    "name 1, 3 or 5 replicas in the file; add more later, one after another"));
        }
        SortedMap<String, UUID> directories = new TreeMap<>();
        int level = own.level();
        for (Map.Entry<String, DirectoryIdentity> answer : answers.entrySet()) {
            directories.put(answer.getKey(), answer.getValue().directory());
            level = Math.min(level, levelOf(answer.getValue()));
        }
        directories.put(membership.self(), own.directory());
        return new Begin(own.foundedWith(membership.self(), directories, level));
    }

    /**
     * Only the leader knows which replica the cell is about to accept. Others that do not know are no reason to wait.
     */
    private static Optional<Step> joinAny(DirectoryIdentity own, String self, Map<String, DirectoryIdentity> answers) {
        List<Step> steps = answers.entrySet().stream()
                .filter(answer -> answer.getValue().isOfACell())
                .map(answer -> join(own, self, answer.getKey(), answer.getValue()))
                .toList();
        return steps.stream()
                .filter(step -> step instanceof Begin)
                .findFirst()
                .or(() -> steps.stream().findFirst());
    }

    /**
     * The cell has begun. Either this replica was there, or the cell accepts it as a new member, or it waits for that.
     */
    private static Step join(DirectoryIdentity own, String self, String by, DirectoryIdentity founded) {
        if (founded.knows(LogPeer.idOfJoiner(self, own.directory()))) {
            return new Begin(own.joining(self, founded.cellId()));
        }
        if (own.directory().equals(founded.members().get(self)) && isStillMember(self, founded)) {
            return new Begin(own.foundedWith(self, founded.members(), levelOf(founded)));
        }
        return new Wait(untilTaken(self, by, founded));
    }

    /** Describes for what a replica waits that the cell has not taken yet, by what another replica says about the cell. */
    public static String untilTaken(String self, String by, DirectoryIdentity founded) {
        boolean replaces = founded.members().containsKey(self)
                || founded.peers().stream().anyMatch(peer -> peer.name().equals(self));
        return replaces
                ? ("the cell to take it: %s says that replica %s has another directory. Start it on that one;"
                                + " if it is lost, run: cella cell replace %s")
                        .formatted(by, self, self)
                : "the cell to take it: %s says that there is no replica %s. Run: cella cell add %s"
                        .formatted(by, self, self);
    }

    /** A replica that states none counts as knowing only the first. */
    public static int levelOf(DirectoryIdentity told) {
        return Math.max(told.level(), 1);
    }

    private static boolean isStillMember(String self, DirectoryIdentity founded) {
        return founded.peers().isEmpty() || founded.knows(self);
    }

    private static StartRefusedException otherCell(String name, DirectoryIdentity other, DirectoryIdentity own) {
        return new StartRefusedException(
                Why.OTHER_CELL,
                "replica %s is of the cell %s, not of %s".formatted(name, other.cell(), own.cell()),
                "compare the names of the cell and the addresses of the replicas in both configurations");
    }
}
