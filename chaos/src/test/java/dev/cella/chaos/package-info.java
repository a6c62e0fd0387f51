/** Tests of one run and its checks, with made-up worlds. */
@NullMarked
package dev.cella.chaos;

import org.jspecify.annotations.NullMarked;
