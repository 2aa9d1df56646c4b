import { memo } from 'react'
import { useI18n, type Translate } from '~/i18n'
import styles from './GpuStrip.module.css'

export type GpuKind = 'busy' | 'free' | 'reserved' | 'broken' | 'closed'

/** One GPU. `colour` is an index into the team colours. */
export interface GpuCell {
  kind: GpuKind
  colour?: number
  title?: string
}

export const TEAM_COLOURS = 10

export function colourVar(index: number): string {
  return `var(--t${((index % TEAM_COLOURS) + TEAM_COLOURS) % TEAM_COLOURS})`
}

/** A node's GPUs as cells: coloured by team, hatched when reserved, outlined when broken. The same strip everywhere. */
export const GpuStrip = memo(function GpuStrip({
  cells,
  dense = false,
}: {
  cells: readonly GpuCell[]
  dense?: boolean
}) {
  const { t } = useI18n()
  return (
    <span
      role="img"
      aria-label={describe(cells, t)}
      className={styles.strip}
      data-dense={dense || undefined}
      style={{ gridTemplateColumns: `repeat(${Math.max(1, Math.min(cells.length, 16))}, minmax(0, 1fr))` }}
    >
      {cells.map((cell, i) => (
        <i
          key={i}
          className={styles[cell.kind]}
          title={cell.title}
          style={cell.kind === 'busy' ? { backgroundColor: colourVar(cell.colour ?? 0) } : undefined}
        />
      ))}
    </span>
  )
})

function describe(cells: readonly GpuCell[], t: Translate): string {
  const count = (kind: GpuKind) => cells.filter((c) => c.kind === kind).length
  const kinds: GpuKind[] = ['busy', 'reserved', 'free', 'broken', 'closed']
  const said = kinds.filter((k) => count(k) > 0).map((k) => t(`gpu.${k}`, { n: count(k) }))
  return said.join(t('comma'))
}
