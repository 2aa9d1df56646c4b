import { Logo } from '~/app/Logo'
import { T, useI18n } from '~/i18n'
import { PasswordForm } from './PasswordForm'
import styles from '../signin/SignIn.module.css'

/** Nothing else works before the first password is changed. */
export function FirstPassword() {
  const { t } = useI18n()
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <Logo size={28} />
        <h1>{t('account.first')}</h1>
        <p className="dim">
          <T k="account.first.why" />
        </p>
        <PasswordForm />
      </div>
    </main>
  )
}
