import { Button, PasswordInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { send } from '~/api/client'
import { asProblem } from '~/api/problem'
import { useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import styles from '../teams/Teams.module.css'

export function PasswordForm({ onDone }: { onDone?: () => void }) {
  const { t } = useI18n()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const change = useWrite(
    () => send('/me/password', { method: 'PUT', body: { current, next } }),
    [['me']],
    true,
  )
  const problem = change.isError ? asProblem(change.error) : null
  const errorOf = (field: string) => problem?.errors.find((e) => e.field === field)?.message
  const differs = again !== '' && again !== next
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(undefined, {
      onSuccess: () => {
        setCurrent('')
        setNext('')
        setAgain('')
        notifications.show({ message: t('account.changed') })
        onDone?.()
      },
    })
  }
  return (
    <form onSubmit={submit} className={styles.fields}>
      <PasswordInput
        label={t('account.current')}
        name="current"
        autoComplete="current-password"
        value={current}
        onChange={(e) => setCurrent(e.currentTarget.value)}
        error={errorOf('current')}
      />
      <PasswordInput
        label={t('account.next')}
        name="next"
        autoComplete="new-password"
        value={next}
        onChange={(e) => setNext(e.currentTarget.value)}
        error={errorOf('next')}
      />
      <PasswordInput
        label={t('account.again')}
        name="again"
        autoComplete="new-password"
        value={again}
        onChange={(e) => setAgain(e.currentTarget.value)}
        error={differs ? t('account.differs') : undefined}
      />
      {problem && <ProblemPanel error={problem} hide={['current', 'next']} />}
      <Button
        type="submit"
        variant="filled"
        loading={change.isPending}
        disabled={current === '' || next === '' || again !== next}
      >
        {t('account.change')}
      </Button>
    </form>
  )
}
