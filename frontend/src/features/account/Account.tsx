import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { Card, Columns, Facts, PageHead } from '~/shared/layout'
import { TeamName } from '~/shared/names'
import { PasswordForm } from './PasswordForm'
import { Tokens } from './Tokens'

export function Account() {
  const { t } = useI18n()
  const me = useMe()
  return (
    <>
      <PageHead title={t('nav.account')} facts={[<bdi key="u">{me.username}</bdi>]} />
      <Columns
        side={
          <>
            <Card title={t('account.who')}>
              <Facts
                rows={[
                  [<T key="k" k="account.name" />, <bdi key="v">{me.displayName}</bdi>],
                  me.platformAdmin && [<T key="k" k="account.role" />, t('role.PLATFORM_ADMIN')],
                  ...me.teams.map(
                    (team) => [<TeamName key="k" path={team.path} />, t(`role.${team.role}`)] as const,
                  ),
                ]}
              />
            </Card>
            <Card title={t('account.password')}>
              <PasswordForm />
            </Card>
          </>
        }
      >
        <Tokens />
      </Columns>
    </>
  )
}
