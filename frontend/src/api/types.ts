import type { JobState } from '~/shared/state'
import type { components } from './schema'

/**
 * What the server sends and takes, from `openapi/v1.json`. Where the contract says text but only certain words come,
 * the words are named here.
 */
type S = components['schemas']
type Refine<T, R> = Omit<T, keyof R> & R

/** What a person may do in a team, least first. */
export type Role = 'VIEWER' | 'MEMBER' | 'TEAM_ADMIN'

export interface Page<T> {
  items: T[]
  next?: string | null
}

export type TeamRole = Refine<S['MeViewTeamRole'], { role: Role }>
export type MeView = Refine<S['MeView'], { teams: TeamRole[] }>

export type JobSummary = Refine<S['JobSummary'], { state: JobState }>
export type JobDetail = Refine<S['JobDetail'], { job: JobSummary }>
export type Resume = S['JobDetailResume']
export type Shape = S['JobSummaryShape']
export type JobEventView = S['JobEventView']
export type ExplanationView = S['ExplanationView']
export type RemedyView = S['ExplanationViewRemedyView']
export type ReasonView = S['ReasonView']
export type HolderView = S['ReasonViewHolderView']
export type NodeGapView = S['ReasonViewNodeGapView']
export type AttemptView = S['AttemptView']
export type CheckpointView = S['CheckpointView']
export type LogPage = S['LogPage']
export type LogLine = S['LogPageLine']
export type PreviewView = Refine<
  S['PreviewView'],
  { outcome: 'starts-now' | 'starts-after-victims' | 'waits' }
>
export type PlaceView = S['PreviewViewPlaceView']
export type Bulk = S['ActionsBulk']
export type BulkItem = Refine<S['ActionsBulkItem'], { state?: JobState | null }>
export type BulkResult = Refine<S['ActionsBulkResult'], { items: BulkItem[] }>
export type JobGroup = S['JobGroup']
export type SavedViews = S['SavedViewsView']
export type SavedView = S['SavedViewsViewSaved']

export type Notice = S['OverviewViewNotice']
export type OverviewView = Refine<S['OverviewView'], { mine: JobSummary[] }>
export type QueueView = Refine<S['QueueView'], { jobs: JobSummary[] }>
export type ShareView = S['ShareView']

export type PoolView = S['PoolView']
export type GpuType = S['GpuTypeView']
export type Cell = Refine<
  S['NodeViewCell'],
  { status: 'busy' | 'reserved' | 'free' | 'foreign' | 'broken' | 'unavailable' }
>
export type NodeView = Refine<S['NodeView'], { gpus: Cell[] }>

export type TeamView = S['TeamView']
export type QuotaView = S['TeamViewQuotaView']
export type QuotaBody = S['TeamViewQuotaBody']
export type ShapeView = S['TeamViewShapeView']
export type MemberView = Refine<S['TeamViewMemberView'], { role: Role }>
export type SettingsView = S['SettingsView']
export type Defaults = S['SettingsViewDefaults']
export type Volume = S['SettingsViewVolume']

export type CalibrationView = S['CalibrationView']
export type ModeView = S['ModeView']
export type ModeEntry = S['ModeViewEntry']
export type ModeBody = S['ModeViewBody']
export type PriorityClass = S['PriorityClassView']
export type TokenView = S['TokenView']
export type TokenCreate = S['TokenViewCreate']
export type TokenCreated = S['TokenViewCreated']
export type UserView = S['UserView']
export type UserCreated = S['UserViewCreated']
