package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;

/**
 * The leader's data about a whole log entry: its feature level, the log's own clock, the time for people, and the history it
 * belongs to ({@link Incarnation#UNSAID} in the entry that founds the cell).
 */
public record EntryHeader(int featureLevel, CellTime cellTime, long wallTimeMillis, Incarnation incarnation) {
    public EntryHeader {
        if (featureLevel < 1) {
            throw new IllegalArgumentException("feature levels are counted from 1, not from " + featureLevel);
        }
    }
}
