import type { JobState } from '~/shared/state'

/** What a person may do in a team, least first. */
export type Role = 'VIEWER' | 'MEMBER' | 'TEAM_ADMIN'

export interface ReasonBody {
  why?: string | null
}

export interface PriorityBody {
  priority: string
}

export interface ExtendBody {
  by: string
}

export interface Bulk {
  action: string
  jobs: number[]
  priority?: string | null
  why?: string | null
  dryRun: boolean
}

export interface BulkResult {
  items: BulkItem[]
}

export interface BulkItem {
  job: number
  outcome: string
  detail?: string | null
}

export interface AttemptView {
  number: number
  revision: number
  pool: string
  gpuType: string
  level?: string | null
  domain?: string | null
  backfilled: boolean
  placedAt: string
  runningAt?: string | null
  endedAt?: string | null
  failure?: string | null
  exitCode?: number | null
  message?: string | null
  firstFailing?: string | null
  resumeStep?: number | null
  resumePath?: string | null
  beneficiary?: number | null
  signalAt?: string | null
  signalDeadline?: string | null
  savedAt?: string | null
  lastCheckpointStep?: number | null
  lastCheckpointAt?: string | null
  lostGpuSeconds: number
  replicas: ReplicaView[]
}

export interface ReplicaView {
  name: string
  group: string
  index: number
  node: string
  gpus: number
  phase: string
  reason?: string | null
  exitCode?: number | null
  message?: string | null
  startedAt?: string | null
  releasedAt?: string | null
}

export interface CheckpointView {
  id: number
  attempt: number
  step: number
  path: string
  bytes?: number | null
  requested: boolean
  at: string
}

export interface ExplanationView {
  job: number
  asOf: string
  place: number
  before: number[]
  expectedStart?: string | null
  latestStart?: string | null
  reasons: ReasonView[]
  remedies: RemedyView[]
}

export interface RemedyView {
  kind: string
  sentence: string
  patch: Record<string, unknown>
  allowed: boolean
  needs?: string | null
  level?: string | null
  domainsUsed?: number | null
  replicas?: number | null
  pool?: string | null
  gpuType?: string | null
  priority?: string | null
  victims: number[]
  gpuSecondsLost?: number | null
}

export interface JobDetail {
  job: JobSummary
  revision?: number | null
  document?: Record<string, unknown> | null
  yaml?: string | null
  effective?: Record<string, unknown> | null
  resume?: Resume | null
  failure?: Failure | null
  holdWhy?: string | null
  ranSeconds?: number | null
  walltimeSeconds?: number | null
  cost?: Cost | null
  preemptions: number
  actions: string[]
  refusals: Record<string, string>
}

export interface Resume {
  path: string
  step: number
  savedAt: string
}

export interface Failure {
  failure: string
  exitCode?: number | null
  message?: string | null
  replica?: string | null
}

export interface Cost {
  gpuHours: number
  micros: number
  currency: string
}

export interface JobEventView {
  id: number
  at: string
  job: number
  team: string
  attempt: number
  kind: string
  from?: string | null
  to?: string | null
  actor?: string | null
  why: string
  sentence: string
  data: Record<string, unknown>
}

export interface JobSummary {
  id: number
  name?: string | null
  team: string
  submittedBy?: string | null
  state: JobState
  after?: string | null
  priority: string
  preemptible: boolean
  gpus: number
  replicas: number
  shape: Shape[]
  pool?: string | null
  gpuType?: string | null
  attempt: number
  submittedAt: string
  waitingSince?: string | null
  startedAt?: string | null
  endedAt?: string | null
  expectedEnd?: string | null
  expectedStart?: string | null
  place?: number | null
  headline?: ReasonView | null
  progress?: Progress | null
  leaving?: Leaving | null
  labels?: Record<string, string> | null
  mayAct: boolean
}

export interface Shape {
  group: string
  replicas: number
  gpusEach: number
}

export interface Progress {
  step: number
  of?: number | null
  loss?: number | null
  at: string
}

export interface Leaving {
  beneficiary?: number | null
  deadline?: string | null
  saved: boolean
}

export interface LogPage {
  lines: LogLine[]
  next?: string | null
  dropped: number
}

export interface LogLine {
  attempt: number
  replica: string
  line: number
  at: string
  text: string
}

export interface MeView {
  id: string
  username: string
  displayName: string
  platformAdmin: boolean
  mustChangePassword: boolean
  teams: TeamRole[]
  cluster?: string | null
  clusterNow: string
  timeScale: number
}

export interface TeamRole {
  id: string
  path: string
  role: Role
}

export interface ModeView {
  entries: ModeEntry[]
}

export interface ModeEntry {
  id: number
  mode: string
  pool?: string | null
  team?: string | null
  by: string
  since: string
  why: string
}

export interface ModeBody {
  mode: string
  pool?: string | null
  team?: string | null
  why: string
}

export interface EndBody {
  why: string
}

export interface Cordon {
  why: string
}

export interface Drain {
  deadline: string
  why: string
}

export interface ConfirmGone {
  why?: string | null
}

export interface NodeView {
  id: string
  pool: string
  gpuType: string
  domain: string[]
  total: number
  free: number
  ready: boolean
  takesReplicas: boolean
  unschedulable: boolean
  cordon?: CordonView | null
  problems: string[]
  cpuMillis: number
  memoryBytes: number
  seenAt: string
  gpus: Cell[]
}

export interface CordonView {
  kind: string
  by: string
  since: string
  why: string
  deadline?: string | null
}

export interface Cell {
  status: 'busy' | 'reserved' | 'free' | 'foreign' | 'broken' | 'unavailable'
  job?: number | null
  name?: string | null
  team?: string | null
}

export interface OverviewView {
  pools: PoolView[]
  waitingJobs: number
  waitingGpus: number
  runningJobs: number
  medianWaitSeconds?: number | null
  p95WaitSeconds?: number | null
  mine: JobSummary[]
  needsMe: Notice[]
  mode: ModeView
}

export interface Notice {
  kind: string
  job?: number | null
  node?: string | null
  sentence: string
}

export interface Page<T> {
  items: T[]
  next?: string | null
}

export interface PoolView {
  id: string
  displayName: string
  levels: Level[]
  selector: Record<string, string>
  gpuTypes: string[]
  microsPerGpuHour: number
  currency: string
  nodes: number
  total: number
  busy: number
  reserved: number
  free: number
  foreign: number
  unavailable: number
  broken: number
  waitingJobs: number
  waitingGpus: number
  largestGang: Largest[]
  profile: Record<string, unknown>
  version: number
}

export interface Level {
  name: string
  label: string
}

export interface Largest {
  level: string
  domain: string
  gpus: number
}

export interface PreviewView {
  outcome: 'starts-now' | 'starts-after-victims' | 'waits'
  gpus: number
  pool?: string | null
  gpuType?: string | null
  domain?: string | null
  places: PlaceView[]
  victims: Victim[]
  gpuSecondsLost?: number | null
  reasons: ReasonView[]
  place: number
  costMicros?: number | null
  currency: string
  yaml?: string | null
}

export interface PlaceView {
  node: string
  total: number
  gpus: number
  busy: number
}

export interface Victim {
  job: number
  name?: string | null
  team: string
  gpus: number
}

export interface QueueView {
  pool: string
  waitingJobs: number
  waitingGpus: number
  jobs: JobSummary[]
}

export interface ReasonView {
  kind: string
  sentence: string
  pool?: string | null
  team?: string | null
  user?: string | null
  gpusWanted?: number | null
  gpusFree?: number | null
  gpusUnavailable?: number | null
  inUse?: number | null
  limit?: number | null
  deserved?: number | null
  entitled?: number | null
  guaranteed?: number | null
  place?: number | null
  jobsBefore?: number | null
  gpusBefore?: number | null
  replicasWanted?: number | null
  replicasFit?: number | null
  gpusEach?: number | null
  level?: string | null
  domain?: string | null
  largestGpus?: number | null
  until?: string | null
  failure?: string | null
  attempt?: number | null
  mode?: string | null
  why?: string | null
  jobs: number[]
  holders: HolderView[]
  nodes: NodeGapView[]
}

export interface HolderView {
  job?: number | null
  name?: string | null
  team?: string | null
  gpus: number
  expectedEnd?: string | null
}

export interface NodeGapView {
  node: string
  total: number
  free: number
  reserved: number
  holders: HolderView[]
}

export interface SettingsView {
  own: Defaults
  effective: Defaults
  volumes: Volume[]
  version: number
}

export interface Defaults {
  cpusPerGpu?: string | null
  memoryPerGpu?: string | null
  sharedMemory?: string | null
  walltime?: string | null
  maxWalltime?: string | null
  imageAllowlist: string[]
  userGpuCap?: number | null
  userQueueCap?: number | null
}

export interface Volume {
  name: string
  team: string
  claim: string
  subPath?: string | null
  readOnly: boolean
}

export interface ShareView {
  team: string
  parent?: string | null
  pool: string
  asOf: string
  capacity: number
  guaranteed: number
  promised: number
  limit?: number | null
  weight: number
  entitlement: number
  deserved: number
  demand: number
  allocated: number
  borrowed: number
  lent: number
  withheld: number
  surplus: number
  usage: number
}

export interface TeamView {
  id: string
  parentId?: string | null
  name: string
  path: string
  displayName: string
  archived: boolean
  role?: string | null
  members: number
  quotas: QuotaView[]
  version: number
}

export interface QuotaView {
  pool: string
  guaranteed: number
  limit?: number | null
  lendable?: number | null
  weight: number
  version: number
  /** Set when it is more than there is, for now. */
  warning?: string | null
}

export interface QuotaBody {
  guaranteed: number
  limit?: number | null
  lendable?: number | null
  weight: number
}

export interface MemberView {
  username: string
  displayName: string
  role: Role
  source: string
}

export interface MemberBody {
  role: Role
}

export interface CreateTeam {
  parent?: string | null
  name: string
  displayName: string
}

export interface TokenView {
  id: string
  name: string
  prefix: string
  scope: string
  team?: string | null
  createdAt: string
  expiresAt: string
  lastUsedAt?: string | null
  revoked: boolean
}

export interface TokenCreated {
  token: TokenView
  secret: string
}

export interface TokenCreate {
  name: string
  scope: string
  team?: string | null
  expiresIn: string
}

export interface UserView {
  id: string
  username: string
  displayName: string
  kind: string
  platformAdmin: boolean
  disabled: boolean
  serviceOf?: string | null
  memberships: TeamRole[]
}

export interface UserCreate {
  username: string
  displayName: string
  platformAdmin: boolean
  password?: string | null
}

export interface UserCreated {
  user: UserView
  oneTimeLink?: string | null
}

/** A kind of GPU in the catalogue. */
export interface GpuType {
  id: string
  memoryMib: number
  resourceName?: string | null
  products?: string[]
}

export interface PriorityClass {
  name: string
  value: number
  usableBy: 'MEMBER' | 'TEAM_ADMIN' | 'GRANTED'
  acrossTeams: boolean
}
