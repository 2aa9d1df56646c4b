import type { NodeView, PoolView } from '~/api/types'
import type { ColourBy } from '~/app/search'
import { T, useI18n } from '~/i18n'
import { Swatch } from '~/shared/gpu'
import { Card } from '~/shared/layout'
import { TeamName } from '~/shared/names'
import { sayLevel } from '~/shared/reasons'
import { PlainTable } from '~/shared/table'
import { useTeamColours } from '~/shared/teams'
import { fragmentation, holdings } from './layout'
import styles from './Cluster.module.css'

export function SideFacts({ pool, nodes, by }: { pool: PoolView; nodes: readonly NodeView[]; by: ColourBy }) {
  const { t, number } = useI18n()
  const { free, scattered } = fragmentation(nodes)
  return (
    <>
      <Card title={t('cluster.largest')}>
        {pool.largestGang.length === 0 ? (
          <p className="dim">
            <T k="cluster.noneFree" />
          </p>
        ) : (
          <PlainTable
            label={t('cluster.largest')}
            columns={[{ header: t('cluster.within') }, { header: t('job.gpus'), numeric: true }]}
            rows={[...pool.largestGang].reverse().map((l) => ({
              key: l.level,
              cells: [
                <span key="l" title={l.domain}>
                  {l.level === 'pool'
                    ? t('cluster.wholePool')
                    : t('form.oneLevel', { level: sayLevel(l.level, t) })}
                </span>,
                number(l.gpus),
              ],
            }))}
          />
        )}
      </Card>
      <Legend nodes={nodes} by={by} />
      <Card title={t('cluster.fragmentation')}>
        <p className="dim">
          {free === 0 ? (
            <T k="cluster.noneFree" />
          ) : scattered === 0 ? (
            <T k="cluster.whole" v={{ n: free }} />
          ) : (
            <T k="cluster.scattered" v={{ n: scattered, free }} />
          )}
        </p>
      </Card>
    </>
  )
}

function Legend({ nodes, by }: { nodes: readonly NodeView[]; by: ColourBy }) {
  const { t, number } = useI18n()
  const colour = useTeamColours()
  const held = holdings(nodes)
  const busy = held.teams.reduce((sum, each) => sum + each.gpus, 0)
  return (
    <Card title={t(`cluster.legend.${by}`)}>
      <ul className={styles.legend}>
        {by === 'team' &&
          held.teams.map(({ team, gpus }) => (
            <li key={team}>
              <Swatch kind="busy" colour={colour(team)} />
              <TeamName path={team} />
              <span>{number(gpus)}</span>
            </li>
          ))}
        {by === 'job' && (
          <li>
            <Swatch kind="busy" colour={0} />
            <T k="cluster.legend.eachJob" />
            <span>{number(busy)}</span>
          </li>
        )}
        {(['reserved', 'free', 'closed', 'broken'] as const)
          .filter((kind) => held[kind] > 0 && !(by === 'health' && kind === 'reserved'))
          .map((kind) => (
            <li key={kind}>
              <Swatch kind={kind} />
              <T k={by === 'health' && kind === 'free' ? 'cluster.legend.well' : `cluster.legend.${kind}`} />
              <span>
                {number(by === 'health' && kind === 'free' ? held.free + busy + held.reserved : held[kind])}
              </span>
            </li>
          ))}
      </ul>
    </Card>
  )
}
