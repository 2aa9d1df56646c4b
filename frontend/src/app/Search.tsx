import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { findJobsQuery, nodesQuery, teamsQuery } from '~/api/queries'
import { T, useI18n } from '~/i18n'
import { sayPath } from '~/shared/names'
import { StateChip } from '~/shared/state'
import { found } from './found'
import styles from './Search.module.css'

/** Whoever writes keeps the key, in the editor too: it lies in a shadow root, from outside of which it looks like a plain box. */
function isTypedInto(pressed: KeyboardEvent): boolean {
  const [at] = pressed.composedPath()
  return at instanceof HTMLElement && at.isContentEditable
}

/** Finds jobs, nodes and teams from anywhere: `/` goes there. */
export function Search() {
  const { t } = useI18n()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const navigate = useNavigate()
  const goTo = (pressed: KeyboardEvent) => {
    if (isTypedInto(pressed)) return
    pressed.preventDefault()
    input.current?.focus()
  }
  useHotkeys([['/', goTo, { preventDefault: false }]])
  const searching = q !== ''
  const jobs = useQuery(findJobsQuery(q))
  const nodes = useQuery({ ...nodesQuery(), enabled: searching, staleTime: 60_000 })
  const teams = useQuery({ ...teamsQuery(), enabled: searching })
  const hits = found(q, nodes.data ?? [], teams.data ?? [])
  const jobHits = searching ? (jobs.data?.items ?? []) : []
  const nothing =
    searching && !jobs.isFetching && jobHits.length + hits.nodes.length + hits.teams.length === 0
  const go = (value: string) => {
    const [kind, ...rest] = value.split(':')
    const id = rest.join(':')
    setText('')
    combobox.closeDropdown()
    input.current?.blur()
    if (kind === 'job') void navigate({ to: '/jobs/$id', params: { id } })
    else if (kind === 'node') void navigate({ to: '/cluster', search: { node: id } })
    else void navigate({ to: '/teams', search: { team: id } })
  }
  return (
    <Combobox store={combobox} onOptionSubmit={go}>
      <Combobox.Target>
        <TextInput
          ref={input}
          className={styles.search}
          aria-label={t('search.label')}
          placeholder={t('search.label')}
          value={text}
          rightSection={<kbd className={styles.key}>/</kbd>}
          onChange={(e) => {
            setText(e.currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(e) => {
            if (e.key === 'Escape') input.current?.blur()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!searching}>
        <Combobox.Options className={styles.options}>
          {jobHits.length > 0 && (
            <Combobox.Group label={t('search.jobs')}>
              {jobHits.map((job) => (
                <Combobox.Option key={job.id} value={`job:${job.id}`} className={styles.option}>
                  <span className="mono dimmer">{job.id}</span> <bdi>{job.name ?? sayPath(job.team)}</bdi>
                  <span className={styles.end}>
                    <StateChip state={job.state} />
                  </span>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {hits.nodes.length > 0 && (
            <Combobox.Group label={t('search.nodes')}>
              {hits.nodes.map((node) => (
                <Combobox.Option key={node.id} value={`node:${node.id}`}>
                  <span className="mono">{node.id}</span>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {hits.teams.length > 0 && (
            <Combobox.Group label={t('search.teams')}>
              {hits.teams.map((team) => (
                <Combobox.Option key={team.id} value={`team:${team.path}`}>
                  <bdi>{sayPath(team.path)}</bdi>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {nothing && (
            <Combobox.Empty>
              <T k="search.nothing" v={{ q }} />
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
