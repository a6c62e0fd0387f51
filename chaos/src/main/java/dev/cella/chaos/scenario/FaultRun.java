package dev.cella.chaos.scenario;

/**
 * A fault as it was carried out.
 *
 * @param on what it was on
 * @param bit whether it had an effect
 * @param why why it had none: it could not be injected, or nothing was there to break; empty if it had one
 */
public record FaultRun(FaultKind kind, String on, long fromMillis, long untilMillis, boolean bit, String why) {
    /** The word for it in reports. */
    public String verdict() {
        return bit ? "yes" : why.isEmpty() ? "VOID" : "VOID: " + why;
    }
}
