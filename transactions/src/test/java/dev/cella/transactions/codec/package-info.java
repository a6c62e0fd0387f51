@NullMarked
package dev.cella.transactions.codec;

import org.jspecify.annotations.NullMarked;
