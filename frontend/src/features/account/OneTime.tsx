import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { post } from '~/api/client'
import { Logo } from '~/app/Logo'
import { T, useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import styles from '../signin/SignIn.module.css'

/** Where a one-time link of an administrator leads: choose a password, then sign in. */
export function OneTime() {
  const { t } = useI18n()
  const { secret } = useParams({ from: '/one-time/$secret' })
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const set = useMutation({
    mutationFn: () => post(`/one-time-links/${encodeURIComponent(secret)}`, { password: next }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  const differs = again !== '' && again !== next
  return (
    <main className={styles.page}>
      <form className={styles.box} onSubmit={submit}>
        <Logo size={28} />
        <h1>{t('account.first')}</h1>
        {set.isSuccess ? (
          <>
            <p>
              <T k="account.changed" />
            </p>
            <Link to="/sign-in">{t('signin.go')}</Link>
          </>
        ) : (
          <>
            <PasswordInput
              label={t('account.next')}
              autoComplete="new-password"
              value={next}
              onChange={(e) => setNext(e.currentTarget.value)}
            />
            <PasswordInput
              label={t('account.again')}
              autoComplete="new-password"
              value={again}
              onChange={(e) => setAgain(e.currentTarget.value)}
              error={differs ? t('account.differs') : undefined}
            />
            {set.isError && <ProblemPanel error={set.error} />}
            <Button
              type="submit"
              variant="filled"
              loading={set.isPending}
              disabled={next === '' || next !== again}
            >
              {t('account.change')}
            </Button>
          </>
        )}
      </form>
    </main>
  )
}
