package dev.cella.client.json;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;

/** A message with the places of its parts in the text that it was read from. */
public final class Located<M extends Message> {
    private final M message;
    private final Map<String, Location> places;

    Located(M message, Map<String, Location> places) {
        this.message = message;
        this.places = Map.copyOf(places);
    }

    public M message() {
        return message;
    }

    /** The same faults with their line and column: those of the part itself, else of the nearest part around it. */
    public List<Fault> locate(List<Fault> faults) {
        return faults.stream().map(fault -> fault.at(place(fault.path()))).toList();
    }

    private Location place(String path) {
        String around = path;
        while (!around.isEmpty() && !places.containsKey(around)) {
            around = around.substring(0, Math.max(0, Math.max(around.lastIndexOf('.'), around.lastIndexOf('['))));
        }
        return places.getOrDefault(around, new Location(1, 1));
    }
}
