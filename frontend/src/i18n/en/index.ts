import type { Catalogue } from '../message'
import { admin } from './admin'
import { common } from './common'
import { events } from './events'
import { job } from './job'
import { jobs } from './jobs'
import { reasons } from './reasons'
import { submit } from './submit'

export const en = {
  ...common,
  ...admin,
  ...events,
  ...job,
  ...jobs,
  ...reasons,
  ...submit,
} satisfies Catalogue
