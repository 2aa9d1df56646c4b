package io.muster.inventory;

import io.muster.model.GpuTypeId;
import java.util.List;

/**
 * A type of GPU of the catalogue.
 *
 * @param id its name, for example H100-SXM
 * @param memoryMib nominal memory in MiB as people ask for it
 * @param resourceName what a pod asks for, for example nvidia.com/gpu
 * @param products values of the product label that mean this type
 */
public record GpuType(GpuTypeId id, long memoryMib, String resourceName, List<String> products) {
    public GpuType {
        products = List.copyOf(products);
    }
}
