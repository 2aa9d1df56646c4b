package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a list; {@code next} is the cursor of the following page, null at the end. */
public record Page<T>(List<T> items, @Nullable String next) {}
