package dev.cella.transactions.codec;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Principal;

/** A command and who asked for it, as the log keeps them. */
public record AskedCommand(Principal principal, Command command) {}
