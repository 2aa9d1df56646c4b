import type { Path } from '../document/document'
import { AmountField, TextField, WholeField } from './fields'
import styles from './JobForm.module.css'

/** What one replica gets. */
export function ResourceFields({ under }: { under: Path }) {
  return (
    <>
      <div className={styles.two}>
        <WholeField path={[...under, 'gpus']} label="form.gpusEach" placeholder="0" />
        <AmountField path={[...under, 'cpus']} label="form.cpus" />
      </div>
      <div className={styles.two}>
        <TextField path={[...under, 'memory']} label="form.memory" placeholder="512Gi" />
        <TextField path={[...under, 'sharedMemory']} label="form.sharedMemory" placeholder="64Gi" />
      </div>
    </>
  )
}
