@NullMarked
package dev.cella.transactions.cell;

import org.jspecify.annotations.NullMarked;
