@NullMarked
package dev.cella.client;

import org.jspecify.annotations.NullMarked;
