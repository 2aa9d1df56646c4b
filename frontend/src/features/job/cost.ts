import type { JobDetail, PoolView } from '~/api/types'
import type { Translate } from '~/i18n'

/**
 * What a job has cost, or, before it ran, what it could cost at most: GPU-hours, and money where the pool and its price
 * are known. Empty: nothing can be said.
 */
export function sayCost(
  detail: JobDetail,
  pools: readonly PoolView[],
  t: Translate,
  number: (n: number) => string,
): string {
  const money = (micros: number, currency: string) =>
    `${number(Math.round(micros / 10_000) / 100)} ${currency}`
  const { cost, job } = detail
  if (cost && cost.gpuHours > 0) {
    return [t('asked.gpuHours', { n: rounded(cost.gpuHours) }), money(cost.micros, cost.currency)].join(
      t('comma'),
    )
  }
  if (detail.walltimeSeconds == null || job.gpus === 0) return ''
  const hours = (detail.walltimeSeconds / 3600) * job.gpus
  const said = [t('asked.gpuHours', { n: rounded(hours) })]
  const where = job.pool ?? job.headline?.pool ?? (pools.length === 1 ? pools[0]?.id : undefined)
  const price = pools.find((pool) => pool.id === where)?.microsPerGpuHour ?? 0
  if (price > 0 && cost) said.push(money(hours * price, cost.currency))
  return t('asked.most', { hours: said.join(t('comma')) })
}

/** Two digits of little: 0 GPU-hours that cost money make no sense. */
function rounded(gpuHours: number): number {
  const steps = gpuHours < 1 ? 100 : 10
  return Math.round(gpuHours * steps) / steps
}
