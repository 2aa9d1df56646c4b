import { SegmentedControl } from '@mantine/core'
import { useI18n } from '~/i18n'

export type Shown = 'chart' | 'table'

/** Whether numbers are drawn or written. */
export function ChartOrTable({ value, onChange }: { value: Shown; onChange: (shown: Shown) => void }) {
  const { t } = useI18n()
  return (
    <SegmentedControl
      size="xs"
      value={value}
      onChange={onChange}
      data={[
        { value: 'chart', label: t('shares.chart') },
        { value: 'table', label: t('shares.table') },
      ]}
    />
  )
}
