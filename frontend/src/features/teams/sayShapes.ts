import type { ShapeView } from '~/api/types'
import type { Translate } from '~/i18n'

/** `2 × (8 GPUs of one node), 1 × (32 GPUs of one rack)`; empty when there are none. */
export function sayShapes(shapes: readonly ShapeView[], t: Translate): string {
  return shapes
    .map(({ count, gpus, level }) => t('quotas.shape.said', { count, gpus: t('gpus', { n: gpus }), level }))
    .join(', ')
}
