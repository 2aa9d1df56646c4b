import type { ReactNode } from 'react'
import { GpuStrip, type GpuCell } from './GpuStrip'
import styles from './NodeBox.module.css'

/** A node with its strip and a word about it; green-edged when it is ready for the job, dashed when it is not. */
export function NodeBox({
  name,
  note,
  cells,
  tone = 'plain',
}: {
  name: ReactNode
  note?: ReactNode
  cells: readonly GpuCell[]
  tone?: 'plain' | 'ok' | 'no'
}) {
  return (
    <div className={styles.node} data-tone={tone}>
      <div className={styles.words}>
        <bdi className="mono">{name}</bdi> <span className="dimmer">{note}</span>
      </div>
      <GpuStrip cells={cells} />
    </div>
  )
}

export function NodeBoxes({ children }: { children: ReactNode }) {
  return <div className={styles.boxes}>{children}</div>
}
