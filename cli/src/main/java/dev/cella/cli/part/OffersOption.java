package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.live.OffersOptions;
import dev.cella.transactions.model.Participation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The part that a scheduler takes in offers. */
final class OffersOption {
    @Option(
            names = "--offers",
            description = "takes part in offers: it claims only what a scheduler of type offers offers it")
    private boolean offers;

    @Option(
            names = "--role",
            paramLabel = "NAME",
            description = "with --offers, the name under which it shares (default: the scheduler's name)")
    private @Nullable String role;

    @Option(
            names = "--weight",
            paramLabel = "N",
            description = "with --offers, the weight of its role, if no pool of that name sets one (default: 1)")
    private @Nullable Integer weight;

    @Option(
            names = "--minimum-offer",
            paramLabel = "DIMENSION=N",
            description = "with --offers, the smallest amount of a machine that it is offered; may be given again")
    private Map<String, String> minimumOffer = Map.of();

    /** How it takes part, if it does. */
    Optional<OffersOptions> get() {
        boolean says = role != null || weight != null || !minimumOffer.isEmpty();
        if (!offers && says) {
            throw CommandFailure.usage(
                    "--role, --weight and --minimum-offer need --offers", "see cella scheduler --help");
        }
        int part = weight == null ? 1 : weight;
        if (part < 1 || part > Participation.WEIGHT_MAX) {
            throw CommandFailure.usage(
                    "--weight is from 1 to " + Participation.WEIGHT_MAX + ", not " + part,
                    "see cella scheduler --help");
        }
        return offers ? Optional.of(new OffersOptions(Optional.ofNullable(role), part, amounts())) : Optional.empty();
    }

    private Map<String, Long> amounts() {
        Map<String, Long> amounts = new TreeMap<>();
        minimumOffer.forEach((dimension, amount) -> {
            try {
                amounts.put(dimension, Long.parseUnsignedLong(amount));
            } catch (NumberFormatException notANumber) {
                throw CommandFailure.usage(
                        "--minimum-offer " + dimension + " is a whole number, not " + amount,
                        "write --minimum-offer cpuMilli=500");
            }
        });
        return amounts;
    }
}
