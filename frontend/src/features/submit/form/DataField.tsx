import { Autocomplete, Button, Checkbox, CloseButton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery, teamsQuery } from '~/api/queries'
import { T, useI18n } from '~/i18n'
import { isMap } from '../document/shape'
import { useField } from './field'
import styles from './JobForm.module.css'

type Row = Record<string, unknown>

/** What is mounted where. */
export function DataField() {
  const { t } = useI18n()
  const field = useField(['data'])
  const team = useField(['team']).value
  const id = useQuery(teamsQuery()).data?.find((each) => each.path === team)?.id
  const volumes = useQuery({ ...settingsQuery(id ?? ''), enabled: id !== undefined }).data?.volumes ?? []
  const rows: Row[] = Array.isArray(field.value) ? field.value.filter(isMap) : []
  const change = (i: number, part: Row) =>
    field.set(rows.map((row, at) => (at === i ? { ...row, ...part } : row)))
  return (
    <div className={styles.data}>
      <span className={styles.label}>
        <T k="form.data" />
      </span>
      {rows.map((row, i) => (
        <div key={i} className={styles.dataRow}>
          {row.scratch === undefined ? (
            <Autocomplete
              aria-label={t('form.volume')}
              placeholder={t('form.volume')}
              data={volumes.map((v) => v.name)}
              value={String((row.volume as string | undefined) ?? '')}
              onChange={(volume) => change(i, { volume })}
              disabled={field.disabled}
            />
          ) : (
            <TextInput
              aria-label={t('form.scratch')}
              value={String(row.scratch as string)}
              onChange={(e) => change(i, { scratch: e.currentTarget.value })}
              disabled={field.disabled}
            />
          )}
          <TextInput
            aria-label={t('form.at')}
            placeholder="/data"
            value={String((row.at as string | undefined) ?? '')}
            onChange={(e) => change(i, { at: e.currentTarget.value })}
            disabled={field.disabled}
          />
          {row.scratch === undefined && (
            <Checkbox
              label={t('form.readOnly')}
              checked={row.readOnly === true}
              onChange={(e) => change(i, { readOnly: e.currentTarget.checked })}
              disabled={field.disabled}
            />
          )}
          <CloseButton
            aria-label={t('form.remove')}
            onClick={() => field.set(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <div className={styles.add}>
        <Button
          size="xs"
          disabled={field.disabled}
          onClick={() => field.set([...rows, { volume: volumes[0]?.name ?? 'work', at: '/work' }])}
        >
          <T k="form.addVolume" />
        </Button>
        <Button
          size="xs"
          disabled={field.disabled}
          onClick={() => field.set([...rows, { scratch: '100Gi', at: '/scratch' }])}
        >
          <T k="form.addScratch" />
        </Button>
      </div>
    </div>
  )
}
