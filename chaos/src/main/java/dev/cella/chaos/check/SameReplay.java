package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.codec.EntryCodec;
import java.util.Arrays;
import java.util.List;

/** C16: the log, applied again from empty, gives the same bytes; its clock never runs ahead. */
final class SameReplay implements Checker {
    @Override
    public String number() {
        return "C16";
    }

    @Override
    public String holds() {
        return "Replaying the log from empty gives the same bytes.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().log.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        evidence.replay().problems().forEach(problem -> found.add("the log", "%s", problem));
        List<byte[]> once = evidence.replay().snapshot();
        List<byte[]> again = appliedAgain(evidence.history());
        boolean same = once.size() == again.size();
        for (int chunk = 0; same && chunk < once.size(); chunk++) {
            same = Arrays.equals(once.get(chunk), again.get(chunk));
        }
        found.unless(same, "the end", "two replays of the log differ in their bytes");
        return found.all();
    }

    /** As a replica applies it: entry by entry, and without the facts that the other checkers want. */
    private static List<byte[]> appliedAgain(History history) {
        Cell cell = new Cell(history.limits());
        for (History.LogEntry each : history.log) {
            cell.apply(EntryCodec.decode(each.bytes()).notBefore(cell.view().time()));
            cell.takeChanges();
        }
        return cell.snapshotForReplicas();
    }
}
