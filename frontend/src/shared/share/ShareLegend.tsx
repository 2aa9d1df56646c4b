import { T } from '~/i18n'
import { Swatch } from '~/shared/gpu'
import styles from './ShareLegend.module.css'

export function ShareLegend() {
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.own} />
        <T k="share.legend.own" />
      </li>
      <li>
        <Swatch kind="reserved" />
        <T k="share.legend.borrowed" />
      </li>
      <li>
        <span className={styles.line} />
        <T k="share.legend.deserved" />
      </li>
      <li>
        <span className={styles.tick} />
        <T k="share.legend.entitled" />
      </li>
      <li>
        <span className={styles.wanted} />
        <T k="share.legend.wanted" />
      </li>
    </ul>
  )
}
