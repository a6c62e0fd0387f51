package dev.cella.transactions.cell;

import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark of a machine in a restored cell whose agent has not registered again: an attribute, because a cell of any feature
 * level has attributes. The machine takes no claims while it has the mark.
 *
 * @param incarnation the incarnation that the machine's agent knows
 * @param version the version of that incarnation up to which the machine's attempts are in the restored cell
 * @param wasReady whether the machine took claims then and was not drained since
 */
public record RestoredFrom(Incarnation incarnation, long version, boolean wasReady) {
    /** The name of the attribute. */
    public static final String ATTRIBUTE = "cella.restored";

    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{1,16})@(\\d{1,18})( drained)?");

    /** The mark of the machine; empty if it has none, or if the cell does not have the machine. */
    public static Optional<RestoredFrom> of(CellView view, MachineId machine) {
        return view.findMachine(machine).stream()
                .mapToObj(view::machine)
                .flatMap(row -> of(row.attributes()).stream())
                .findFirst();
    }

    public static Optional<RestoredFrom> of(Map<String, String> attributes) {
        Matcher text = TEXT.matcher(attributes.getOrDefault(ATTRIBUTE, ""));
        return text.matches()
                ? Optional.of(new RestoredFrom(
                        new Incarnation(Long.parseUnsignedLong(text.group(1), 16)),
                        Long.parseLong(text.group(2)),
                        text.group(3) == null))
                : Optional.empty();
    }

    /** The same for a machine that must take no claims when its agent has registered. */
    public RestoredFrom drained() {
        return new RestoredFrom(incarnation, version, false);
    }

    /** The value of the attribute. */
    public String text() {
        return incarnation + "@" + version + (wasReady ? "" : " drained");
    }
}
