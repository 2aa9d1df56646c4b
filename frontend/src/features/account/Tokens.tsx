import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '~/api/actions'
import { send } from '~/api/client'
import { tokensQuery } from '~/api/queries'
import type { TokenView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { TeamName } from '~/shared/names'
import { PlainTable } from '~/shared/table'
import { Instant, Since } from '~/shared/time'
import { CreateToken } from './CreateToken'

/** Keys for programs: the command line, notebooks, CI. */
export function Tokens() {
  const { t } = useI18n()
  const tokens = useQuery(tokensQuery())
  const [creating, setCreating] = useState(false)
  return (
    <Card
      title={t('tokens.title')}
      aside={
        <Button size="xs" onClick={() => setCreating(true)}>
          {t('tokens.create')}
        </Button>
      }
    >
      <QueryView query={tokens}>
        {(all) => {
          const live = all.filter((token) => !token.revoked)
          return live.length === 0 ? (
            <Empty title={t('tokens.none')}>{t('tokens.none.next')}</Empty>
          ) : (
            <List tokens={live} />
          )
        }}
      </QueryView>
      {creating && <CreateToken onClose={() => setCreating(false)} />}
    </Card>
  )
}

function List({ tokens }: { tokens: readonly TokenView[] }) {
  const { t } = useI18n()
  const revoke = useWrite((id: string) => send(`/tokens/${id}`, { method: 'DELETE' }), [['tokens']])
  return (
    <PlainTable
      label={t('tokens.title')}
      columns={[
        { header: t('tokens.name') },
        { header: t('tokens.prefix'), narrow: false },
        { header: t('tokens.scope') },
        { header: t('tokens.used'), narrow: false },
        { header: t('tokens.expires') },
        { header: '' },
      ]}
      rows={tokens.map((token) => ({
        key: token.id,
        cells: [
          <bdi key="n">{token.name}</bdi>,
          <span key="p" className="mono">
            {token.prefix}…
          </span>,
          <span key="s">
            {t(`tokens.scope.${token.scope as 'READ'}`)}
            {token.team && (
              <>
                , <TeamName path={token.team} />
              </>
            )}
          </span>,
          token.lastUsedAt ? (
            <T key="u" k="ago" v={{ time: <Since at={token.lastUsedAt} /> }} />
          ) : (
            <T key="u" k="tokens.never" />
          ),
          <Instant key="e" at={token.expiresAt} />,
          <Button
            key="r"
            size="xs"
            loading={revoke.isPending && revoke.variables === token.id}
            onClick={() => revoke.mutate(token.id)}
          >
            {t('tokens.revoke')}
          </Button>,
        ],
      }))}
    />
  )
}
