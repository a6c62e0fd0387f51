package dev.cella.cli.terminal;

import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;

/**
 * A view of the cell that is drawn again and again. Once it was drawn, it outlives a cell that is away for a while, because an
 * operator leaves it open during an upgrade.
 */
public final class LiveView {
    /** Draws the view. */
    public interface Drawing {
        void draw(boolean isFirst);
    }

    private final Terminal terminal;
    private final Drawing drawing;
    private boolean isDrawn;
    private boolean isAway;

    public LiveView(Terminal terminal, Drawing drawing) {
        this.terminal = terminal;
        this.drawing = drawing;
    }

    /** Draws it. If the cell is away, says so once, and what was drawn before stays. */
    public void draw() {
        try {
            drawing.draw(!isDrawn);
            isDrawn = true;
            isAway = false;
        } catch (CellUnreachable | Problem failure) {
            if (!isDrawn || !AwayCell.isIn(failure)) {
                throw failure;
            }
            if (!isAway) {
                terminal.say("note:  " + failure.getMessage() + "; asking again");
            }
            isAway = true;
        }
    }
}
