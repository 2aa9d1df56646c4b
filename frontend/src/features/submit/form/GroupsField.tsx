import { Button, CloseButton } from '@mantine/core'
import { T, useI18n } from '~/i18n'
import { isMap } from '../document/shape'
import { useField } from './field'
import { CommandField, PairsField, TextField, WholeField } from './fields'
import { ResourceFields } from './ResourceFields'
import { SliceFields } from './SliceFields'
import styles from './JobForm.module.css'

/** Groups of replicas that differ. What a group leaves out, it takes from the fields above. */
export function GroupsField() {
  const { t } = useI18n()
  const groups = useField(['groups'])
  const replicas = useField(['replicas'])
  const slices = useField(['topology', 'slices'])
  const elastic = useField(['elastic'])
  const rows = Array.isArray(groups.value) ? groups.value : []
  const add = () => {
    // The first group is what the job was before it had any.
    const first = {
      name: 'worker',
      replicas: typeof replicas.value === 'number' ? replicas.value : 1,
      ...(slices.value === undefined ? {} : { slices: slices.value }),
      ...(isMap(elastic.value) ? { elastic: elastic.value } : {}),
    }
    if (rows.length === 0) {
      replicas.set(undefined)
      slices.set(undefined)
      elastic.set(undefined)
    }
    groups.set([...(rows.length === 0 ? [first] : rows), { name: freeName(rows), replicas: 1 }])
  }
  const remove = (i: number) => {
    const left = rows.filter((_, at) => at !== i)
    groups.set(left)
    if (left.length === 0) replicas.set(countOf(rows[i]))
  }
  return (
    <div className={styles.data}>
      {rows.map((row, i) => (
        <fieldset key={i} className={styles.group}>
          <legend>
            <T k="form.group" v={{ name: nameOf(row) || String(i + 1) }} />
            <CloseButton
              size="sm"
              aria-label={t('form.group.remove', { name: nameOf(row) || String(i + 1) })}
              onClick={() => remove(i)}
              disabled={groups.disabled}
            />
          </legend>
          <div className={styles.two}>
            <TextField path={['groups', i, 'name']} label="form.name" />
            <WholeField path={['groups', i, 'replicas']} label="form.replicas" placeholder="1" />
            <WholeField
              path={['groups', i, 'elastic', 'min']}
              label="form.elastic"
              placeholder={t('form.elastic.all')}
            />
          </div>
          <ResourceFields under={['groups', i, 'resources']} />
          <SliceFields under={['groups', i, 'slices']} />
          <TextField path={['groups', i, 'image']} label="asked.image" />
          <CommandField path={['groups', i, 'command']} label="asked.command" />
          <TextField path={['groups', i, 'workdir']} label="form.workdir" placeholder="/app" />
          <PairsField path={['groups', i, 'env']} label="form.env" />
        </fieldset>
      ))}
      <div className={styles.add}>
        <Button size="xs" disabled={groups.disabled} onClick={add}>
          <T k={rows.length === 0 ? 'form.addGroups' : 'form.addGroup'} />
        </Button>
      </div>
    </div>
  )
}

function nameOf(row: unknown): string {
  return isMap(row) && typeof row.name === 'string' ? row.name : ''
}

function countOf(row: unknown): number | undefined {
  return isMap(row) && typeof row.replicas === 'number' ? row.replicas : undefined
}

function freeName(rows: readonly unknown[]): string {
  const taken = new Set(['worker', ...rows.map(nameOf)])
  let n = 2
  while (taken.has(`group-${n}`)) n++
  return `group-${n}`
}
