package dev.cella.chaos.processes;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** One fault on processes: how it begins, lasts and heals, and why it may have been VOID. */
final class ProcessFault {
    private static final String NOBODY = "nothing of that name runs in this cell";

    private final String on;
    private final boolean onNobody;
    private Runnable begin = () -> {};
    private LongConsumer last = millis -> {};
    private Runnable heal = () -> {};
    private LongFunction<String> whyVoid = millis -> "";
    private Supplier<String> whyVoidAtLast = () -> "";
    private BooleanSupplier hasBitten = () -> true;
    private BooleanSupplier isHealed = () -> true;

    private ProcessFault(String on, boolean onNobody) {
        this.on = on;
        this.onNobody = onNobody;
    }

    static ProcessFault on(String what) {
        return new ProcessFault(what, false);
    }

    /** Without a part it is VOID, whatever else there is to say of it. */
    static ProcessFault on(List<? extends Breakable> parts) {
        return new ProcessFault(Part.names(parts), parts.isEmpty());
    }

    /** One that cannot be injected. */
    static ProcessFault impossible(String on, String why) {
        return on(on).isVoid(millis -> why);
    }

    static ProcessFault impossible(List<Part> parts, String why) {
        return on(parts).isVoid(millis -> why);
    }

    ProcessFault begins(Runnable action) {
        begin = action;
        return this;
    }

    /**
     * @param action called again and again, with the milliseconds since the beginning
     */
    ProcessFault lasts(LongConsumer action) {
        last = action;
        return this;
    }

    ProcessFault heals(Runnable action) {
        heal = action;
        return this;
    }

    /**
     * @param reason given the milliseconds it lasted; empty if the fault had an effect
     */
    ProcessFault isVoid(LongFunction<String> reason) {
        whyVoid = reason;
        return this;
    }

    /**
     * It lasts longer than it was planned until it has bitten, but not for ever.
     */
    ProcessFault until(BooleanSupplier bitten) {
        hasBitten = bitten;
        return this;
    }

    /**
     * @param reason asked at the end of the run, for a fault whose effect shows after it is healed; empty if it had one
     */
    ProcessFault shows(Supplier<String> reason) {
        whyVoidAtLast = reason;
        return this;
    }

    /** Its healing goes on after {@link #heal} until then. */
    ProcessFault healed(BooleanSupplier done) {
        isHealed = done;
        return this;
    }

    String on() {
        return on;
    }

    void begin() {
        begin.run();
    }

    void keepUp(long millis) {
        last.accept(millis);
    }

    void heal() {
        heal.run();
    }

    boolean hasBitten() {
        return hasBitten.getAsBoolean();
    }

    boolean isHealed() {
        return isHealed.getAsBoolean();
    }

    String whyVoid(long lastedMillis) {
        return onNobody ? NOBODY : whyVoid.apply(lastedMillis);
    }

    String whyVoidAtLast() {
        return whyVoidAtLast.get();
    }
}
