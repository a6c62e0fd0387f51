@NullMarked
package dev.cella.client.job;

import org.jspecify.annotations.NullMarked;
