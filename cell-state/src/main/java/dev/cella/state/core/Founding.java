package dev.cella.state.core;

import dev.cella.state.core.StartRefusedException.Why;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * When one of several replicas may begin its log in an empty directory.
 *
 * <h2>Why not at once</h2>
 *
 * A replica that has lost its disk looks like one that never had anything. Let it begin anew, and it votes for a leader
 * that lacks what it has itself acknowledged: with one more replica that lags, acknowledged commands are gone. So an empty
 * directory is never taken for a new one on the word of its own emptiness.
 *
 * <h2>The rule</h2>
 *
 * A cell is founded when all its replicas are there and all are empty. Each asks the others; each that has seen all of
 * them empty writes down whose directories they were, and begins. The cell's id follows from those directories, so all
 * come to the same one without choosing a founder. Who comes late, or was killed in between, finds its own directory in
 * what another wrote down, and begins; who finds a different one there in its place has lost its data, and does not start.
 *
 * <p>A pure function of what the replicas say.
 */
public final class Founding {
    /** What an empty replica does next. */
    public sealed interface Step {}

    /** Not everybody has answered yet. */
    public record Wait(String until) implements Step {}

    /** It writes this down and begins its log. */
    public record Begin(DirectoryIdentity founded) implements Step {}

    public record Refuse(StartRefusedException why) implements Step {}

    private Founding() {}

    /** @param answers what the other replicas said of their directories, by name; silent ones are not in it */
    static Step next(DirectoryIdentity own, Membership membership, Map<String, DirectoryIdentity> answers) {
        for (Map.Entry<String, DirectoryIdentity> answer : answers.entrySet()) {
            if (!answer.getValue().cell().equals(own.cell())) {
                return new Refuse(otherCell(answer.getKey(), answer.getValue(), own));
            }
            if (answer.getValue().isFounded()) {
                return join(own, membership.self(), answer.getKey(), answer.getValue());
            }
        }
        for (Membership.Member other : membership.others()) {
            if (!answers.containsKey(other.name())) {
                return new Wait("replica " + other.name() + " at " + other.address());
            }
        }
        SortedMap<String, UUID> directories = new TreeMap<>();
        answers.forEach((name, other) -> directories.put(name, other.directory()));
        directories.put(membership.self(), own.directory());
        return new Begin(own.foundedWith(membership.self(), directories));
    }

    private static Step join(DirectoryIdentity own, String self, String by, DirectoryIdentity founded) {
        UUID known = founded.members().get(self);
        if (!own.directory().equals(known)) {
            return new Refuse(new StartRefusedException(
                    Why.OTHER_REPLICA,
                    known == null
                            ? "the cell was founded without a replica " + self + ", says " + by
                            : "the cell knows replica %s by another directory, says %s, and this one is empty"
                                    .formatted(self, by),
                    "start it on the directory that it had, or on a copy that is not older; what it had acknowledged must"
                            + " not be forgotten"));
        }
        return new Begin(own.foundedWith(self, founded.members()));
    }

    private static StartRefusedException otherCell(String name, DirectoryIdentity other, DirectoryIdentity own) {
        return new StartRefusedException(
                Why.OTHER_CELL,
                "replica %s is of the cell %s, not of %s".formatted(name, other.cell(), own.cell()),
                "compare the names of the cell and the addresses of the replicas in both configurations");
    }
}
