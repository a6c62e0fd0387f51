package dev.cella.client.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The rules for requests of one type, beyond their form. */
final class MessageRules {
    static final MessageRules NONE = new MessageRules(Optional.empty(), message -> List.of());

    private final Optional<Descriptor> type;
    private final Function<Message, List<Fault>> check;

    private MessageRules(Optional<Descriptor> type, Function<Message, List<Fault>> check) {
        this.type = type;
        this.check = check;
    }

    @SuppressWarnings("unchecked") // a message of that descriptor is an M
    static <M extends Message> MessageRules of(M type, Function<M, List<Fault>> check) {
        return new MessageRules(
                Optional.of(type.getDescriptorForType()),
                message -> check.apply((M) type.getClass().cast(message)));
    }

    /**
     * Adds what the rules find to the faults in the form. Fields that were not written are skipped: they may be
     * missing only because something else could not be read. Fields that have a fault already are skipped too.
     */
    void addTo(Faults faults, Message.Builder into, Map<String, Location> places) {
        if (faults.count() == 0 || !type.equals(Optional.of(into.getDescriptorForType()))) {
            return;
        }
        List<Fault> ofForm = faults.found();
        List<Fault> found = check.apply(into.buildPartial()).stream()
                .filter(fault -> places.containsKey(fault.path()))
                .filter(fault -> ofForm.stream().noneMatch(other -> overlap(fault.path(), other.path())))
                .map(fault -> fault.at(places.getOrDefault(fault.path(), Location.NOWHERE)))
                .toList();
        faults.addAll(found);
    }

    private static boolean overlap(String one, String other) {
        return one.startsWith(other) || other.startsWith(one);
    }
}
