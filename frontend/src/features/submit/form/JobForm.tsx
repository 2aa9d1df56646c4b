import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { gpuTypesQuery, poolsQuery, prioritiesQuery, teamsQuery } from '~/api/queries'
import { useMe } from '~/app/session'
import { T, useI18n, type Key } from '~/i18n'
import { sayPath } from '~/shared/names'
import { valueAt, type Finding, type JobDocument, type Path } from '../document/document'
import { DataField } from './DataField'
import { FormContext } from './field'
import { GroupsField } from './GroupsField'
import { useLevels } from './levels'
import { ResourceFields } from './ResourceFields'
import { SliceFields } from './SliceFields'
import { ChoiceField, CommandField, ManyField, PairsField, TextField, WholeField, YesNoField } from './fields'
import styles from './JobForm.module.css'

/** The document as a form: a field for each of its fields. */
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
        <What />
        <Size grouped={grouped} />
        <Where grouped={grouped} />
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

function What() {
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
      <CommandField path={['command']} label="asked.command" />
      <TextField path={['workdir']} label="form.workdir" placeholder="/app" />
      <PairsField path={['env']} label="form.env" />
      <PairsField path={['labels']} label="form.labels" placeholder="project=clip" />
    </Section>
  )
}

/** With groups, what stands here is what they take where they say nothing themselves. */
function Size({ grouped }: { grouped: boolean }) {
  const { t } = useI18n()
  return (
    <Section title="form.size">
      {grouped ? (
        <p className="dim small">
          <T k="form.groups" />
        </p>
      ) : (
        <>
          <WholeField path={['replicas']} label="form.replicas" placeholder="1" />
          <WholeField path={['elastic', 'min']} label="form.elastic" placeholder={t('form.elastic.all')} />
        </>
      )}
      <ResourceFields under={['resources']} />
      <GroupsField />
    </Section>
  )
}

function Where({ grouped }: { grouped: boolean }) {
  const { t } = useI18n()
  const pools = useQuery(poolsQuery()).data ?? []
  const types = useQuery(gpuTypesQuery()).data ?? []
  const levels = useLevels()
  return (
    <Section title="form.where">
      <ManyField
        path={['gpu', 'types']}
        label="asked.types"
        options={types.map((g) => ({ value: g.id, label: g.id }))}
      />
      <TextField path={['gpu', 'memory']} label="form.gpuMemory" placeholder="80GB" />
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
      {!grouped && <SliceFields under={['topology', 'slices']} />}
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
