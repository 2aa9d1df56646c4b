package io.muster.web.view;

import java.util.List;

/**
 * A type of GPU of the catalogue.
 *
 * @param memoryMib nominal memory as people ask for it
 * @param resourceName what a pod asks for, such as nvidia.com/gpu
 * @param products values of the product label that mean this type
 */
public record GpuTypeView(String id, long memoryMib, String resourceName, List<String> products, long version) {

    public record Body(long memoryMib, String resourceName, List<String> products) {}
}
