import { Button, CloseButton, NativeSelect, NumberInput } from '@mantine/core'
import type { PoolView, ShapeView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import styles from './Teams.module.css'

/** The parts of a guarantee that come in whole domains: a list of `2 x (8 GPUs of one node)`, one row each. */
export function Shapes({
  shapes,
  levels,
  errorOf,
  onChange,
}: {
  shapes: readonly ShapeView[]
  levels: PoolView['levels']
  errorOf: (field: string) => string | undefined
  onChange: (next: ShapeView[]) => void
}) {
  const { t } = useI18n()
  const names = levels.map((level) => level.name)
  const set = (at: number, part: Partial<ShapeView>) =>
    onChange(shapes.map((shape, i) => (i === at ? { ...shape, ...part } : shape)))
  const wrong = errorOf('shapes')
  return (
    <fieldset className={styles.shapes}>
      <legend>{t('quotas.shapes')}</legend>
      <p className="dim small">{t('quotas.help.shapes')}</p>
      {shapes.map((shape, i) => (
        <div key={i} className={styles.shape} role="group" aria-label={t('quotas.shape', { n: i + 1 })}>
          <NumberInput
            label={t('quotas.shape.count')}
            value={shape.count}
            onChange={(n) => set(i, { count: Number(n) })}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            error={errorOf(`shapes[${i}].count`)}
          />
          <NumberInput
            label={t('quotas.shape.gpus')}
            value={shape.gpus}
            onChange={(n) => set(i, { gpus: Number(n) })}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            error={errorOf(`shapes[${i}].gpus`)}
          />
          <NativeSelect
            label={t('quotas.shape.level')}
            value={shape.level}
            onChange={(event) => set(i, { level: event.currentTarget.value })}
            data={names.includes(shape.level) ? names : [shape.level, ...names]}
            error={errorOf(`shapes[${i}].level`)}
          />
          <CloseButton
            aria-label={t('quotas.shape.remove', { n: i + 1 })}
            onClick={() => onChange(shapes.filter((_, other) => other !== i))}
          />
        </div>
      ))}
      {wrong && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      <Button
        size="xs"
        onClick={() => onChange([...shapes, { count: 1, level: names.at(-1) ?? 'node', gpus: 8 }])}
      >
        <T k="quotas.shape.add" />
      </Button>
    </fieldset>
  )
}
