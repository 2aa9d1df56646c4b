import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Logo } from '~/app/Logo'
import { send } from '~/api/client'
import { asProblem } from '~/api/problem'
import { useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import styles from './SignIn.module.css'

export function SignIn() {
  const { t } = useI18n()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const { back } = useSearch({ from: '/sign-in' })
  const client = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  const signIn = useMutation({
    mutationFn: () => send('/session', { method: 'POST', body: { username: username.trim(), password } }),
    onSuccess: async () => {
      client.clear()
      if (back) router.history.push(back)
      else await navigate({ to: '/' })
    },
    onError: () => setPassword(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const wrong = signIn.isError && asProblem(signIn.error).status === 401
  return (
    <main className={styles.page}>
      <form className={styles.box} onSubmit={submit}>
        <Logo size={28} />
        <h1>{t('signin.title')}</h1>
        <TextInput
          label={t('signin.name')}
          name="username"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
        />
        <PasswordInput
          label={t('signin.password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          error={wrong ? t('signin.wrong') : undefined}
        />
        {signIn.isError && !wrong && <ProblemPanel error={signIn.error} />}
        <Button type="submit" variant="filled" loading={signIn.isPending} fullWidth>
          {t('signin.go')}
        </Button>
      </form>
    </main>
  )
}
