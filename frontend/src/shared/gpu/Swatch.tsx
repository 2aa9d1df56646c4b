import { colourVar, type GpuKind } from './GpuStrip'
import styles from './GpuStrip.module.css'

/** One cell beside a word, for legends. */
export function Swatch({ kind, colour = 0 }: { kind: GpuKind; colour?: number }) {
  return (
    <span className={`${styles.strip} ${styles.swatch}`} aria-hidden>
      <i
        className={styles[kind]}
        style={kind === 'busy' ? { backgroundColor: colourVar(colour) } : undefined}
      />
    </span>
  )
}
