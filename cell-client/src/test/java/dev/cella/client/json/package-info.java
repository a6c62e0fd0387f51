@NullMarked
package dev.cella.client.json;

import org.jspecify.annotations.NullMarked;
