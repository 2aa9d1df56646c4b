import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { gpuTypesQuery, poolsQuery, prioritiesQuery, teamsQuery } from '~/api/queries'
import { useMe } from '~/app/session'
import { T, useI18n, type Key } from '~/i18n'
import { sayPath } from '~/shared/names'
import { sayLevel } from '~/shared/reasons'
import { valueAt, type Finding, type JobDocument, type Path } from '../document/document'
import { DataField } from './DataField'
import { FormContext } from './field'
import { ChoiceField, CommandField, ManyField, PairsField, TextField, WholeField, YesNoField } from './fields'
import styles from './JobForm.module.css'

/** The document as a form. What it has no field for (groups, labels) stays in the text. */
export function JobForm({
  doc,
  findings,
  set,
}: {
  doc: JobDocument
  findings: readonly Finding[]
  set: (path: Path, value: unknown) => void
}) {
  const state = useMemo(() => ({ doc, findings, set }), [doc, findings, set])
  const grouped = valueAt(doc.value, ['groups']) !== undefined
  return (
    <FormContext value={state}>
      <form className={styles.form} onSubmit={(e) => e.preventDefault()}>
        {!doc.readable && (
          <p className={styles.note}>
            <T k="form.unreadable" />
          </p>
        )}
        <What grouped={grouped} />
        <Size grouped={grouped} />
        <Where />
        <How />
      </form>
    </FormContext>
  )
}

function Section({ title, children }: { title: Key; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>
        <T k={title} />
      </legend>
      {children}
    </fieldset>
  )
}

function What({ grouped }: { grouped: boolean }) {
  const me = useMe()
  const all = useQuery({ ...teamsQuery(), enabled: me.platformAdmin }).data ?? []
  const own = me.teams.filter((team) => team.role !== 'VIEWER')
  // Platform admins have every role.
  const teams = (me.platformAdmin ? all.filter((team) => !team.archived) : own).map((team) => ({
    value: team.path,
    label: sayPath(team.path),
  }))
  return (
    <Section title="form.what">
      <div className={styles.two}>
        <TextField path={['name']} label="form.name" placeholder="my-job" />
        <ChoiceField path={['team']} label="job.team" options={teams} />
      </div>
      <TextField path={['image']} label="asked.image" placeholder="images.example/train:1.4" />
      {!grouped && <CommandField path={['command']} label="asked.command" />}
      <PairsField path={['env']} label="form.env" />
    </Section>
  )
}

function Size({ grouped }: { grouped: boolean }) {
  if (grouped) {
    return (
      <Section title="form.size">
        <p className={styles.note}>
          <T k="form.groups" />
        </p>
      </Section>
    )
  }
  return (
    <Section title="form.size">
      <div className={styles.two}>
        <WholeField path={['replicas']} label="form.replicas" placeholder="1" />
        <WholeField path={['resources', 'gpus']} label="form.gpusEach" placeholder="0" />
      </div>
      <div className={styles.two}>
        <WholeField path={['resources', 'cpus']} label="form.cpus" />
        <TextField path={['resources', 'memory']} label="form.memory" placeholder="512Gi" />
      </div>
    </Section>
  )
}

function Where() {
  const { t } = useI18n()
  const pools = useQuery(poolsQuery()).data ?? []
  const types = useQuery(gpuTypesQuery()).data ?? []
  const levels = [...new Set(pools.flatMap((p) => p.levels.map((l) => l.name)))]
    .filter((level) => level !== 'node')
    .map((level) => ({ value: level, label: t('form.oneLevel', { level: sayLevel(level, t) }) }))
  return (
    <Section title="form.where">
      <ManyField
        path={['gpu', 'types']}
        label="asked.types"
        options={types.map((g) => ({ value: g.id, label: g.id }))}
      />
      <div className={styles.two}>
        <ChoiceField
          path={['pool']}
          label="job.pool"
          placeholder={t('form.any')}
          options={pools.map((p) => ({ value: p.id, label: p.displayName || p.id }))}
        />
        <ChoiceField
          path={['topology', 'require']}
          label="form.require"
          placeholder={t('form.anywhere')}
          options={levels}
        />
      </div>
      <div className={styles.two}>
        <ChoiceField
          path={['topology', 'prefer']}
          label="form.prefer"
          placeholder={t('form.anywhere')}
          options={levels}
        />
        <TextField path={['topology', 'patience']} label="form.patience" placeholder="10m" />
      </div>
    </Section>
  )
}

const WAYS = ['sigterm', 'api', 'file'] as const

function How() {
  const { t } = useI18n()
  const classes = useQuery(prioritiesQuery()).data ?? []
  const priorities = [...classes]
    .sort((a, b) => a.value - b.value || a.name.localeCompare(b.name))
    .map((p) => ({ value: p.name, label: p.name }))
  return (
    <Section title="form.how">
      <div className={styles.two}>
        <ChoiceField path={['priority']} label="job.priority" placeholder="normal" options={priorities} />
        <TextField path={['walltime']} label="asked.walltime" placeholder="12h" />
      </div>
      <YesNoField path={['preemptible']} label="form.preemptible" unset />
      <div className={styles.two}>
        <ChoiceField
          path={['checkpoint', 'by']}
          label="form.by"
          options={WAYS.map((way) => ({ value: way, label: t(`form.by.${way}`) }))}
        />
        <TextField path={['checkpoint', 'grace']} label="form.grace" placeholder="2m" />
      </div>
      <div className={styles.two}>
        <TextField path={['checkpoint', 'every']} label="form.every" placeholder="30m" />
        <TextField path={['checkpoint', 'path']} label="form.path" placeholder="/work/ckpt" />
      </div>
      <DataField />
      <WholeField path={['retry', 'onFailure']} label="form.retries" placeholder="0" />
    </Section>
  )
}
