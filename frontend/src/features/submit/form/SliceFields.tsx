import { useI18n } from '~/i18n'
import type { Path } from '../document/document'
import { ChoiceField, WholeField } from './fields'
import { useLevels } from './levels'
import styles from './JobForm.module.css'

/** Replicas cut into slices, each of which lies whole in one domain. */
export function SliceFields({ under }: { under: Path }) {
  const { t } = useI18n()
  return (
    <div className={styles.two}>
      <WholeField path={[...under, 'size']} label="form.sliceSize" placeholder="8" />
      <ChoiceField
        path={[...under, 'level']}
        label="form.sliceLevel"
        placeholder={t('form.anywhere')}
        options={useLevels()}
      />
    </div>
  )
}
