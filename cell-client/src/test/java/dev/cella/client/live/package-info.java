@NullMarked
package dev.cella.client.live;

import org.jspecify.annotations.NullMarked;
